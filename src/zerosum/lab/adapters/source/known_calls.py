"""What known functions and methods do with what they are given."""

PURE_LIBRARIES = {"numpy", "math", "itertools", "functools", "operator", "copy", "collections"}
PURE_BUILTINS = {
    *("abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float"),
    *("frozenset", "int", "isinstance", "len", "list", "map", "max", "min", "ord", "pow", "print"),
    *("range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
}
PURE_METHODS = {
    *("all", "any", "argmax", "argmin", "astype", "contains", "copy", "count", "difference"),
    *("endswith", "flatten", "format", "get", "index", "intersection", "isdigit", "issubset"),
    *("issuperset", "item", "items", "join", "keys", "lower", "max", "mean", "min", "nonzero"),
    *("prod", "ravel", "reshape", "split", "startswith", "strip", "sum", "tolist", "transpose"),
    *("union", "upper", "values", "isdisjoint", "zfill", "ljust", "rjust", "center", "title"),
}
MUTATORS = {
    *("add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "pop"),
    *("popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update"),
}
MUTATING_FUNCTIONS = {
    *("copyto", "fill_diagonal", "heapify", "heappop", "heappush", "place", "put", "putmask"),
    *("shuffle", "next", "put_along_axis"),
}
# What these return is new: changing it changes none of their arguments.
FRESH = {
    *("abs", "all", "any", "append", "arange", "array", "bool", "concatenate", "count", "dot"),
    *("float", "full", "int", "isinstance", "len", "ones", "prod", "range", "repr", "round", "str"),
    *("sum", "tolist", "where", "zeros", "zeros_like", "join", "format", "index", "item"),
}
CHANCE = {
    *("choice", "choices", "datetime", "integers", "np_random", "randint", "random", "randrange"),
    *("rng", "sample", "secrets", "shuffle", "time", "urandom", "uuid", "uuid4"),
}
# Functions whose answer does not depend on the order of what they are given.
ORDERLESS = {"all", "any", "frozenset", "len", "max", "min", "set", "sorted", "sum"}
ORDERLESS_METHODS = {"add", "append", "clear", "count", "discard", "extend", "remove"}
ORDER_READERS = {"pop", "popleft"}
