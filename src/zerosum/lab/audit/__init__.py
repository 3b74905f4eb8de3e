"""What is true of a rule book as a whole: size, fairness, skill, faults; exactly."""
