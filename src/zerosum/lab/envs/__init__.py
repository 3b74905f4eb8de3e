"""Games as environments for learning programs; `zerosum.envs` has the public names."""
