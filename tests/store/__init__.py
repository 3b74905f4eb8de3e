import pytest

# What is asserted there explains itself as it does in the tests.
pytest.register_assert_rewrite("tests.store.support")
