"""Bit operations that are one instruction of the processor, or nearly: each as plain Python first.

`nth` is two instructions where the processor has a fast `pdep`, and a small table elsewhere
(`DAVIDGOLIATH_KERNEL=portable` asks for the table). All three give the same.
"""

import os
from collections.abc import Callable
from typing import Any

from davidgoliath.kernel.arrays import np
from davidgoliath.kernel.compiled import IS_COMPILED, compiled
from davidgoliath.kernel.layout import VALUES


def count(mask: int) -> int:
    """How many bits are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The place of the lowest bit that is set; 64 if there is none."""
    return (int(mask) & -int(mask)).bit_length() - 1 if mask else 64


def nth(mask: int, n: int) -> int:
    """The place of the n-th bit that is set in a colour's mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


def fold(x: "np.uint64", y: "np.uint64") -> "np.uint64":
    """The two halves of the 128-bit product, one xor the other."""
    product = int(x) * int(y)
    return np.uint64((product ^ product >> 64) & 0xFFFF_FFFF_FFFF_FFFF)


if IS_COMPILED:
    from llvmlite import binding
    from llvmlite.ir import Constant, Function, FunctionType, IntType
    from numba.core import types
    from numba.extending import intrinsic

    WORD, WIDE = IntType(64), IntType(128)

    def _instruction(kind: Any, arity: int, emit: Callable[..., Any]) -> Any:
        """A function of 64-bit numbers of a kind, from what it emits."""
        signature = kind(*[kind] * arity)

        def one(_context: Any, _x: Any) -> Any:
            return signature, lambda _, builder, __, arguments: emit(builder, *arguments)

        def two(_context: Any, _x: Any, _y: Any) -> Any:
            return signature, lambda _, builder, __, arguments: emit(builder, *arguments)

        return intrinsic(one if arity == 1 else two)

    def _emit_pdep(builder: Any, source: Any, mask: Any) -> Any:
        name, kind = "llvm.x86.bmi.pdep.64", FunctionType(WORD, [WORD, WORD])
        return builder.call(builder.module.globals.get(name) or Function(builder.module, kind, name), [source, mask])

    def _emit_fold(builder: Any, x: Any, y: Any) -> Any:
        product = builder.mul(builder.zext(x, WIDE), builder.zext(y, WIDE))
        high = builder.trunc(builder.lshr(product, Constant(WIDE, 64)), WORD)
        return builder.xor(builder.trunc(product, WORD), high)

    def _has_fast_pdep() -> bool:
        """The first two generations of AMD's Zen have the instruction, and are better off without it."""
        if os.environ.get("DAVIDGOLIATH_KERNEL") == "portable":
            return False
        slow = binding.get_host_cpu_name() in ("znver1", "znver2")
        return bool(binding.get_host_cpu_features().get("bmi2")) and not slow

    count = _instruction(types.int64, 1, lambda builder, mask: builder.ctpop(mask))
    lowest = _instruction(types.int64, 1, lambda builder, mask: builder.cttz(mask, Constant(IntType(1), 0)))
    fold = _instruction(types.uint64, 2, _emit_fold)

    if _has_fast_pdep():
        _pdep = _instruction(types.int64, 2, _emit_pdep)

        @compiled("int64(int64, int64)")
        def nth(mask: int, n: int) -> int:
            return lowest(_pdep(1 << n, mask))

    else:
        HALF = VALUES // 2
        PLACES = np.zeros(16 << HALF, np.uint8)
        """`PLACES[mask * 16 + n]`: the place of the n-th bit in half a colour."""
        for _mask in range(1 << HALF):
            for _n, _bit in enumerate(bit for bit in range(HALF) if _mask >> bit & 1):
                PLACES[_mask * 16 + _n] = _bit

        @compiled("int64(int64, int64)")
        def nth(mask: int, n: int) -> int:
            half, base = mask & ((1 << HALF) - 1), 0
            in_lower = count(half)
            if n >= in_lower:
                half, base, n = mask >> HALF, HALF, n - in_lower
            return base + int(PLACES[(half << 4 | n) & 0x1FFF])
