"""The array libraries by name, and the few differences between them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple, get_args

from zerosum.errors import ZerosumError
from zerosum.text import brief, did_you_mean

LibraryName = Literal["numpy", "torch", "jax", "cupy"]
LIBRARIES: tuple[LibraryName, ...] = get_args(LibraryName)
# NumPy works on this many games at a time, which stay in the cache.
CACHED = 1 << 15


class Library(NamedTuple):
    """What a batch needs of an array library.

    `array` turns one of NumPy's into its own, without a copy where both are on the same device;
    `compiled` compiles a function of arrays where the library can; `block` is the most games to
    work on at a time.
    """

    array: Callable[[Any], Any]
    take: Callable[[Any, Any], Any]
    count: Callable[[Any], Any]
    join: Callable[[Any], Any]
    compiled: Callable[[Any], Any]
    block: int | None = None


@cache
def array_library(name: str, device: Any = None) -> Library:
    """Return an array library by its name; `device` is what it calls a device.

    >>> array_library("nunpy")
    Traceback (most recent call last):
    ...
    zerosum.errors.ZerosumError: There is no array library 'nunpy'; did you mean numpy? Choose \
numpy, torch, jax or cupy.
    """
    if name not in LIBRARIES:
        offer = did_you_mean(str(name), LIBRARIES)
        listed = f"{f'{offer} Choose' if offer else 'choose'} numpy, torch, jax or cupy."
        raise ZerosumError(f"There is no array library '{brief(name)}'; {listed}")
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        raise ZerosumError(
            f"The array library {name} is not installed; its own site says how to install it, "
            "which depends on your machine."
        ) from error
    makers = {"numpy": _numpy, "torch": _torch, "jax": _jax, "cupy": _cupy}
    try:
        return makers[name](module, device)
    except (RuntimeError, TypeError, ValueError) as error:
        raise ZerosumError(f"{name} has no device {brief(device)}.") from error


def _numpy(numpy: Any, device: Any) -> Library:
    """NumPy computes on the CPU; clipping is faster than checking indices."""
    if device not in (None, "cpu"):
        raise ValueError(device)

    def take(array: Any, indices: Any) -> Any:
        return array.take(indices, mode="clip")

    return Library(_same, take, numpy.count_nonzero, numpy.concatenate, _same, CACHED)


def _torch(torch: Any, device: Any) -> Library:
    """PyTorch uses a GPU only if it is named."""
    place = torch.device("cpu" if device is None else device)

    def array(values: Any) -> Any:
        return torch.from_dlpack(values).to(place)

    def take(array: Any, indices: Any) -> Any:
        return array.index_select(0, indices)

    return Library(array, take, torch.count_nonzero, torch.cat, _same)


def _jax(jax: Any, device: Any) -> Library:
    """JAX uses its default device unless another is named, and compiles."""
    place = jax.devices(device)[0] if isinstance(device, str) or device is None else device

    def array(values: Any) -> Any:
        if values.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
            raise ZerosumError(
                "A table this large needs integers of 64 bits: "
                "call jax.config.update('jax_enable_x64', True) first."
            )
        return jax.device_put(jax.numpy.from_dlpack(values), place)

    def take(array: Any, indices: Any) -> Any:
        return array.at[indices].get(mode="promise_in_bounds")

    return Library(array, take, jax.numpy.count_nonzero, jax.numpy.concatenate, jax.jit)


def _cupy(cupy: Any, device: Any) -> Library:
    """CuPy computes on the first GPU, unless another is named by number."""
    place = cupy.cuda.Device(device)

    def array(values: Any) -> Any:
        with place:
            return cupy.asarray(values)

    return Library(array, cupy.take, cupy.count_nonzero, cupy.concatenate, _same)


def _same(value: Any) -> Any:
    """Return what was given: a library that needs no change of it."""
    return value
