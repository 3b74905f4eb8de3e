import os

# Small linear systems are solved sooner by one thread, and tests run in several processes. NumPy
# reads this when it is imported, which is soon.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
