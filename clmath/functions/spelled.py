"""The spelled names of OpenCL C: written by tables/spell.py, do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.functions.conversion import as_type, convert
from clmath.functions.groups import (
    sub_group_reduce,
    sub_group_scan_exclusive,
    sub_group_scan_inclusive,
    work_group_reduce,
    work_group_scan_exclusive,
    work_group_scan_inclusive,
)
from clmath.functions.memory import vload, vload_half, vloada_half, vstore, vstore_half, vstorea_half

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.typing import Out, Where

__all__: list[str] = [
    "as_char",
    "as_char2",
    "as_char3",
    "as_char4",
    "as_char8",
    "as_char16",
    "as_double",
    "as_double2",
    "as_double3",
    "as_double4",
    "as_double8",
    "as_double16",
    "as_float",
    "as_float2",
    "as_float3",
    "as_float4",
    "as_float8",
    "as_float16",
    "as_half",
    "as_half2",
    "as_half3",
    "as_half4",
    "as_half8",
    "as_half16",
    "as_int",
    "as_int2",
    "as_int3",
    "as_int4",
    "as_int8",
    "as_int16",
    "as_long",
    "as_long2",
    "as_long3",
    "as_long4",
    "as_long8",
    "as_long16",
    "as_short",
    "as_short2",
    "as_short3",
    "as_short4",
    "as_short8",
    "as_short16",
    "as_uchar",
    "as_uchar2",
    "as_uchar3",
    "as_uchar4",
    "as_uchar8",
    "as_uchar16",
    "as_uint",
    "as_uint2",
    "as_uint3",
    "as_uint4",
    "as_uint8",
    "as_uint16",
    "as_ulong",
    "as_ulong2",
    "as_ulong3",
    "as_ulong4",
    "as_ulong8",
    "as_ulong16",
    "as_ushort",
    "as_ushort2",
    "as_ushort3",
    "as_ushort4",
    "as_ushort8",
    "as_ushort16",
    "convert_bool",
    "convert_bool2",
    "convert_bool3",
    "convert_bool4",
    "convert_bool8",
    "convert_bool16",
    "convert_char",
    "convert_char2",
    "convert_char2_rte",
    "convert_char2_rtn",
    "convert_char2_rtp",
    "convert_char2_rtz",
    "convert_char2_sat",
    "convert_char2_sat_rte",
    "convert_char2_sat_rtn",
    "convert_char2_sat_rtp",
    "convert_char2_sat_rtz",
    "convert_char3",
    "convert_char3_rte",
    "convert_char3_rtn",
    "convert_char3_rtp",
    "convert_char3_rtz",
    "convert_char3_sat",
    "convert_char3_sat_rte",
    "convert_char3_sat_rtn",
    "convert_char3_sat_rtp",
    "convert_char3_sat_rtz",
    "convert_char4",
    "convert_char4_rte",
    "convert_char4_rtn",
    "convert_char4_rtp",
    "convert_char4_rtz",
    "convert_char4_sat",
    "convert_char4_sat_rte",
    "convert_char4_sat_rtn",
    "convert_char4_sat_rtp",
    "convert_char4_sat_rtz",
    "convert_char8",
    "convert_char8_rte",
    "convert_char8_rtn",
    "convert_char8_rtp",
    "convert_char8_rtz",
    "convert_char8_sat",
    "convert_char8_sat_rte",
    "convert_char8_sat_rtn",
    "convert_char8_sat_rtp",
    "convert_char8_sat_rtz",
    "convert_char16",
    "convert_char16_rte",
    "convert_char16_rtn",
    "convert_char16_rtp",
    "convert_char16_rtz",
    "convert_char16_sat",
    "convert_char16_sat_rte",
    "convert_char16_sat_rtn",
    "convert_char16_sat_rtp",
    "convert_char16_sat_rtz",
    "convert_char_rte",
    "convert_char_rtn",
    "convert_char_rtp",
    "convert_char_rtz",
    "convert_char_sat",
    "convert_char_sat_rte",
    "convert_char_sat_rtn",
    "convert_char_sat_rtp",
    "convert_char_sat_rtz",
    "convert_double",
    "convert_double2",
    "convert_double2_rte",
    "convert_double2_rtn",
    "convert_double2_rtp",
    "convert_double2_rtz",
    "convert_double3",
    "convert_double3_rte",
    "convert_double3_rtn",
    "convert_double3_rtp",
    "convert_double3_rtz",
    "convert_double4",
    "convert_double4_rte",
    "convert_double4_rtn",
    "convert_double4_rtp",
    "convert_double4_rtz",
    "convert_double8",
    "convert_double8_rte",
    "convert_double8_rtn",
    "convert_double8_rtp",
    "convert_double8_rtz",
    "convert_double16",
    "convert_double16_rte",
    "convert_double16_rtn",
    "convert_double16_rtp",
    "convert_double16_rtz",
    "convert_double_rte",
    "convert_double_rtn",
    "convert_double_rtp",
    "convert_double_rtz",
    "convert_float",
    "convert_float2",
    "convert_float2_rte",
    "convert_float2_rtn",
    "convert_float2_rtp",
    "convert_float2_rtz",
    "convert_float3",
    "convert_float3_rte",
    "convert_float3_rtn",
    "convert_float3_rtp",
    "convert_float3_rtz",
    "convert_float4",
    "convert_float4_rte",
    "convert_float4_rtn",
    "convert_float4_rtp",
    "convert_float4_rtz",
    "convert_float8",
    "convert_float8_rte",
    "convert_float8_rtn",
    "convert_float8_rtp",
    "convert_float8_rtz",
    "convert_float16",
    "convert_float16_rte",
    "convert_float16_rtn",
    "convert_float16_rtp",
    "convert_float16_rtz",
    "convert_float_rte",
    "convert_float_rtn",
    "convert_float_rtp",
    "convert_float_rtz",
    "convert_half",
    "convert_half2",
    "convert_half2_rte",
    "convert_half2_rtn",
    "convert_half2_rtp",
    "convert_half2_rtz",
    "convert_half3",
    "convert_half3_rte",
    "convert_half3_rtn",
    "convert_half3_rtp",
    "convert_half3_rtz",
    "convert_half4",
    "convert_half4_rte",
    "convert_half4_rtn",
    "convert_half4_rtp",
    "convert_half4_rtz",
    "convert_half8",
    "convert_half8_rte",
    "convert_half8_rtn",
    "convert_half8_rtp",
    "convert_half8_rtz",
    "convert_half16",
    "convert_half16_rte",
    "convert_half16_rtn",
    "convert_half16_rtp",
    "convert_half16_rtz",
    "convert_half_rte",
    "convert_half_rtn",
    "convert_half_rtp",
    "convert_half_rtz",
    "convert_int",
    "convert_int2",
    "convert_int2_rte",
    "convert_int2_rtn",
    "convert_int2_rtp",
    "convert_int2_rtz",
    "convert_int2_sat",
    "convert_int2_sat_rte",
    "convert_int2_sat_rtn",
    "convert_int2_sat_rtp",
    "convert_int2_sat_rtz",
    "convert_int3",
    "convert_int3_rte",
    "convert_int3_rtn",
    "convert_int3_rtp",
    "convert_int3_rtz",
    "convert_int3_sat",
    "convert_int3_sat_rte",
    "convert_int3_sat_rtn",
    "convert_int3_sat_rtp",
    "convert_int3_sat_rtz",
    "convert_int4",
    "convert_int4_rte",
    "convert_int4_rtn",
    "convert_int4_rtp",
    "convert_int4_rtz",
    "convert_int4_sat",
    "convert_int4_sat_rte",
    "convert_int4_sat_rtn",
    "convert_int4_sat_rtp",
    "convert_int4_sat_rtz",
    "convert_int8",
    "convert_int8_rte",
    "convert_int8_rtn",
    "convert_int8_rtp",
    "convert_int8_rtz",
    "convert_int8_sat",
    "convert_int8_sat_rte",
    "convert_int8_sat_rtn",
    "convert_int8_sat_rtp",
    "convert_int8_sat_rtz",
    "convert_int16",
    "convert_int16_rte",
    "convert_int16_rtn",
    "convert_int16_rtp",
    "convert_int16_rtz",
    "convert_int16_sat",
    "convert_int16_sat_rte",
    "convert_int16_sat_rtn",
    "convert_int16_sat_rtp",
    "convert_int16_sat_rtz",
    "convert_int_rte",
    "convert_int_rtn",
    "convert_int_rtp",
    "convert_int_rtz",
    "convert_int_sat",
    "convert_int_sat_rte",
    "convert_int_sat_rtn",
    "convert_int_sat_rtp",
    "convert_int_sat_rtz",
    "convert_long",
    "convert_long2",
    "convert_long2_rte",
    "convert_long2_rtn",
    "convert_long2_rtp",
    "convert_long2_rtz",
    "convert_long2_sat",
    "convert_long2_sat_rte",
    "convert_long2_sat_rtn",
    "convert_long2_sat_rtp",
    "convert_long2_sat_rtz",
    "convert_long3",
    "convert_long3_rte",
    "convert_long3_rtn",
    "convert_long3_rtp",
    "convert_long3_rtz",
    "convert_long3_sat",
    "convert_long3_sat_rte",
    "convert_long3_sat_rtn",
    "convert_long3_sat_rtp",
    "convert_long3_sat_rtz",
    "convert_long4",
    "convert_long4_rte",
    "convert_long4_rtn",
    "convert_long4_rtp",
    "convert_long4_rtz",
    "convert_long4_sat",
    "convert_long4_sat_rte",
    "convert_long4_sat_rtn",
    "convert_long4_sat_rtp",
    "convert_long4_sat_rtz",
    "convert_long8",
    "convert_long8_rte",
    "convert_long8_rtn",
    "convert_long8_rtp",
    "convert_long8_rtz",
    "convert_long8_sat",
    "convert_long8_sat_rte",
    "convert_long8_sat_rtn",
    "convert_long8_sat_rtp",
    "convert_long8_sat_rtz",
    "convert_long16",
    "convert_long16_rte",
    "convert_long16_rtn",
    "convert_long16_rtp",
    "convert_long16_rtz",
    "convert_long16_sat",
    "convert_long16_sat_rte",
    "convert_long16_sat_rtn",
    "convert_long16_sat_rtp",
    "convert_long16_sat_rtz",
    "convert_long_rte",
    "convert_long_rtn",
    "convert_long_rtp",
    "convert_long_rtz",
    "convert_long_sat",
    "convert_long_sat_rte",
    "convert_long_sat_rtn",
    "convert_long_sat_rtp",
    "convert_long_sat_rtz",
    "convert_short",
    "convert_short2",
    "convert_short2_rte",
    "convert_short2_rtn",
    "convert_short2_rtp",
    "convert_short2_rtz",
    "convert_short2_sat",
    "convert_short2_sat_rte",
    "convert_short2_sat_rtn",
    "convert_short2_sat_rtp",
    "convert_short2_sat_rtz",
    "convert_short3",
    "convert_short3_rte",
    "convert_short3_rtn",
    "convert_short3_rtp",
    "convert_short3_rtz",
    "convert_short3_sat",
    "convert_short3_sat_rte",
    "convert_short3_sat_rtn",
    "convert_short3_sat_rtp",
    "convert_short3_sat_rtz",
    "convert_short4",
    "convert_short4_rte",
    "convert_short4_rtn",
    "convert_short4_rtp",
    "convert_short4_rtz",
    "convert_short4_sat",
    "convert_short4_sat_rte",
    "convert_short4_sat_rtn",
    "convert_short4_sat_rtp",
    "convert_short4_sat_rtz",
    "convert_short8",
    "convert_short8_rte",
    "convert_short8_rtn",
    "convert_short8_rtp",
    "convert_short8_rtz",
    "convert_short8_sat",
    "convert_short8_sat_rte",
    "convert_short8_sat_rtn",
    "convert_short8_sat_rtp",
    "convert_short8_sat_rtz",
    "convert_short16",
    "convert_short16_rte",
    "convert_short16_rtn",
    "convert_short16_rtp",
    "convert_short16_rtz",
    "convert_short16_sat",
    "convert_short16_sat_rte",
    "convert_short16_sat_rtn",
    "convert_short16_sat_rtp",
    "convert_short16_sat_rtz",
    "convert_short_rte",
    "convert_short_rtn",
    "convert_short_rtp",
    "convert_short_rtz",
    "convert_short_sat",
    "convert_short_sat_rte",
    "convert_short_sat_rtn",
    "convert_short_sat_rtp",
    "convert_short_sat_rtz",
    "convert_uchar",
    "convert_uchar2",
    "convert_uchar2_rte",
    "convert_uchar2_rtn",
    "convert_uchar2_rtp",
    "convert_uchar2_rtz",
    "convert_uchar2_sat",
    "convert_uchar2_sat_rte",
    "convert_uchar2_sat_rtn",
    "convert_uchar2_sat_rtp",
    "convert_uchar2_sat_rtz",
    "convert_uchar3",
    "convert_uchar3_rte",
    "convert_uchar3_rtn",
    "convert_uchar3_rtp",
    "convert_uchar3_rtz",
    "convert_uchar3_sat",
    "convert_uchar3_sat_rte",
    "convert_uchar3_sat_rtn",
    "convert_uchar3_sat_rtp",
    "convert_uchar3_sat_rtz",
    "convert_uchar4",
    "convert_uchar4_rte",
    "convert_uchar4_rtn",
    "convert_uchar4_rtp",
    "convert_uchar4_rtz",
    "convert_uchar4_sat",
    "convert_uchar4_sat_rte",
    "convert_uchar4_sat_rtn",
    "convert_uchar4_sat_rtp",
    "convert_uchar4_sat_rtz",
    "convert_uchar8",
    "convert_uchar8_rte",
    "convert_uchar8_rtn",
    "convert_uchar8_rtp",
    "convert_uchar8_rtz",
    "convert_uchar8_sat",
    "convert_uchar8_sat_rte",
    "convert_uchar8_sat_rtn",
    "convert_uchar8_sat_rtp",
    "convert_uchar8_sat_rtz",
    "convert_uchar16",
    "convert_uchar16_rte",
    "convert_uchar16_rtn",
    "convert_uchar16_rtp",
    "convert_uchar16_rtz",
    "convert_uchar16_sat",
    "convert_uchar16_sat_rte",
    "convert_uchar16_sat_rtn",
    "convert_uchar16_sat_rtp",
    "convert_uchar16_sat_rtz",
    "convert_uchar_rte",
    "convert_uchar_rtn",
    "convert_uchar_rtp",
    "convert_uchar_rtz",
    "convert_uchar_sat",
    "convert_uchar_sat_rte",
    "convert_uchar_sat_rtn",
    "convert_uchar_sat_rtp",
    "convert_uchar_sat_rtz",
    "convert_uint",
    "convert_uint2",
    "convert_uint2_rte",
    "convert_uint2_rtn",
    "convert_uint2_rtp",
    "convert_uint2_rtz",
    "convert_uint2_sat",
    "convert_uint2_sat_rte",
    "convert_uint2_sat_rtn",
    "convert_uint2_sat_rtp",
    "convert_uint2_sat_rtz",
    "convert_uint3",
    "convert_uint3_rte",
    "convert_uint3_rtn",
    "convert_uint3_rtp",
    "convert_uint3_rtz",
    "convert_uint3_sat",
    "convert_uint3_sat_rte",
    "convert_uint3_sat_rtn",
    "convert_uint3_sat_rtp",
    "convert_uint3_sat_rtz",
    "convert_uint4",
    "convert_uint4_rte",
    "convert_uint4_rtn",
    "convert_uint4_rtp",
    "convert_uint4_rtz",
    "convert_uint4_sat",
    "convert_uint4_sat_rte",
    "convert_uint4_sat_rtn",
    "convert_uint4_sat_rtp",
    "convert_uint4_sat_rtz",
    "convert_uint8",
    "convert_uint8_rte",
    "convert_uint8_rtn",
    "convert_uint8_rtp",
    "convert_uint8_rtz",
    "convert_uint8_sat",
    "convert_uint8_sat_rte",
    "convert_uint8_sat_rtn",
    "convert_uint8_sat_rtp",
    "convert_uint8_sat_rtz",
    "convert_uint16",
    "convert_uint16_rte",
    "convert_uint16_rtn",
    "convert_uint16_rtp",
    "convert_uint16_rtz",
    "convert_uint16_sat",
    "convert_uint16_sat_rte",
    "convert_uint16_sat_rtn",
    "convert_uint16_sat_rtp",
    "convert_uint16_sat_rtz",
    "convert_uint_rte",
    "convert_uint_rtn",
    "convert_uint_rtp",
    "convert_uint_rtz",
    "convert_uint_sat",
    "convert_uint_sat_rte",
    "convert_uint_sat_rtn",
    "convert_uint_sat_rtp",
    "convert_uint_sat_rtz",
    "convert_ulong",
    "convert_ulong2",
    "convert_ulong2_rte",
    "convert_ulong2_rtn",
    "convert_ulong2_rtp",
    "convert_ulong2_rtz",
    "convert_ulong2_sat",
    "convert_ulong2_sat_rte",
    "convert_ulong2_sat_rtn",
    "convert_ulong2_sat_rtp",
    "convert_ulong2_sat_rtz",
    "convert_ulong3",
    "convert_ulong3_rte",
    "convert_ulong3_rtn",
    "convert_ulong3_rtp",
    "convert_ulong3_rtz",
    "convert_ulong3_sat",
    "convert_ulong3_sat_rte",
    "convert_ulong3_sat_rtn",
    "convert_ulong3_sat_rtp",
    "convert_ulong3_sat_rtz",
    "convert_ulong4",
    "convert_ulong4_rte",
    "convert_ulong4_rtn",
    "convert_ulong4_rtp",
    "convert_ulong4_rtz",
    "convert_ulong4_sat",
    "convert_ulong4_sat_rte",
    "convert_ulong4_sat_rtn",
    "convert_ulong4_sat_rtp",
    "convert_ulong4_sat_rtz",
    "convert_ulong8",
    "convert_ulong8_rte",
    "convert_ulong8_rtn",
    "convert_ulong8_rtp",
    "convert_ulong8_rtz",
    "convert_ulong8_sat",
    "convert_ulong8_sat_rte",
    "convert_ulong8_sat_rtn",
    "convert_ulong8_sat_rtp",
    "convert_ulong8_sat_rtz",
    "convert_ulong16",
    "convert_ulong16_rte",
    "convert_ulong16_rtn",
    "convert_ulong16_rtp",
    "convert_ulong16_rtz",
    "convert_ulong16_sat",
    "convert_ulong16_sat_rte",
    "convert_ulong16_sat_rtn",
    "convert_ulong16_sat_rtp",
    "convert_ulong16_sat_rtz",
    "convert_ulong_rte",
    "convert_ulong_rtn",
    "convert_ulong_rtp",
    "convert_ulong_rtz",
    "convert_ulong_sat",
    "convert_ulong_sat_rte",
    "convert_ulong_sat_rtn",
    "convert_ulong_sat_rtp",
    "convert_ulong_sat_rtz",
    "convert_ushort",
    "convert_ushort2",
    "convert_ushort2_rte",
    "convert_ushort2_rtn",
    "convert_ushort2_rtp",
    "convert_ushort2_rtz",
    "convert_ushort2_sat",
    "convert_ushort2_sat_rte",
    "convert_ushort2_sat_rtn",
    "convert_ushort2_sat_rtp",
    "convert_ushort2_sat_rtz",
    "convert_ushort3",
    "convert_ushort3_rte",
    "convert_ushort3_rtn",
    "convert_ushort3_rtp",
    "convert_ushort3_rtz",
    "convert_ushort3_sat",
    "convert_ushort3_sat_rte",
    "convert_ushort3_sat_rtn",
    "convert_ushort3_sat_rtp",
    "convert_ushort3_sat_rtz",
    "convert_ushort4",
    "convert_ushort4_rte",
    "convert_ushort4_rtn",
    "convert_ushort4_rtp",
    "convert_ushort4_rtz",
    "convert_ushort4_sat",
    "convert_ushort4_sat_rte",
    "convert_ushort4_sat_rtn",
    "convert_ushort4_sat_rtp",
    "convert_ushort4_sat_rtz",
    "convert_ushort8",
    "convert_ushort8_rte",
    "convert_ushort8_rtn",
    "convert_ushort8_rtp",
    "convert_ushort8_rtz",
    "convert_ushort8_sat",
    "convert_ushort8_sat_rte",
    "convert_ushort8_sat_rtn",
    "convert_ushort8_sat_rtp",
    "convert_ushort8_sat_rtz",
    "convert_ushort16",
    "convert_ushort16_rte",
    "convert_ushort16_rtn",
    "convert_ushort16_rtp",
    "convert_ushort16_rtz",
    "convert_ushort16_sat",
    "convert_ushort16_sat_rte",
    "convert_ushort16_sat_rtn",
    "convert_ushort16_sat_rtp",
    "convert_ushort16_sat_rtz",
    "convert_ushort_rte",
    "convert_ushort_rtn",
    "convert_ushort_rtp",
    "convert_ushort_rtz",
    "convert_ushort_sat",
    "convert_ushort_sat_rte",
    "convert_ushort_sat_rtn",
    "convert_ushort_sat_rtp",
    "convert_ushort_sat_rtz",
    "sub_group_reduce_add",
    "sub_group_reduce_max",
    "sub_group_reduce_min",
    "sub_group_scan_exclusive_add",
    "sub_group_scan_exclusive_max",
    "sub_group_scan_exclusive_min",
    "sub_group_scan_inclusive_add",
    "sub_group_scan_inclusive_max",
    "sub_group_scan_inclusive_min",
    "vload2",
    "vload3",
    "vload4",
    "vload8",
    "vload16",
    "vload_half2",
    "vload_half3",
    "vload_half4",
    "vload_half8",
    "vload_half16",
    "vloada_half2",
    "vloada_half3",
    "vloada_half4",
    "vloada_half8",
    "vloada_half16",
    "vstore2",
    "vstore3",
    "vstore4",
    "vstore8",
    "vstore16",
    "vstore_half2",
    "vstore_half2_rte",
    "vstore_half2_rtn",
    "vstore_half2_rtp",
    "vstore_half2_rtz",
    "vstore_half3",
    "vstore_half3_rte",
    "vstore_half3_rtn",
    "vstore_half3_rtp",
    "vstore_half3_rtz",
    "vstore_half4",
    "vstore_half4_rte",
    "vstore_half4_rtn",
    "vstore_half4_rtp",
    "vstore_half4_rtz",
    "vstore_half8",
    "vstore_half8_rte",
    "vstore_half8_rtn",
    "vstore_half8_rtp",
    "vstore_half8_rtz",
    "vstore_half16",
    "vstore_half16_rte",
    "vstore_half16_rtn",
    "vstore_half16_rtp",
    "vstore_half16_rtz",
    "vstore_half_rte",
    "vstore_half_rtn",
    "vstore_half_rtp",
    "vstore_half_rtz",
    "vstorea_half2",
    "vstorea_half2_rte",
    "vstorea_half2_rtn",
    "vstorea_half2_rtp",
    "vstorea_half2_rtz",
    "vstorea_half3",
    "vstorea_half3_rte",
    "vstorea_half3_rtn",
    "vstorea_half3_rtp",
    "vstorea_half3_rtz",
    "vstorea_half4",
    "vstorea_half4_rte",
    "vstorea_half4_rtn",
    "vstorea_half4_rtp",
    "vstorea_half4_rtz",
    "vstorea_half8",
    "vstorea_half8_rte",
    "vstorea_half8_rtn",
    "vstorea_half8_rtp",
    "vstorea_half8_rtz",
    "vstorea_half16",
    "vstorea_half16_rte",
    "vstorea_half16_rtn",
    "vstorea_half16_rtp",
    "vstorea_half16_rtz",
    "work_group_reduce_add",
    "work_group_reduce_max",
    "work_group_reduce_min",
    "work_group_scan_exclusive_add",
    "work_group_scan_exclusive_max",
    "work_group_scan_exclusive_min",
    "work_group_scan_inclusive_add",
    "work_group_scan_inclusive_max",
    "work_group_scan_inclusive_min",
]


def convert_bool(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool")``."""
    return convert(x, "bool", out=out, where=where, threads=threads)


def convert_bool2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool2")``."""
    return convert(x, "bool2", out=out, where=where, threads=threads)


def convert_bool3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool3")``."""
    return convert(x, "bool3", out=out, where=where, threads=threads)


def convert_bool4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool4")``."""
    return convert(x, "bool4", out=out, where=where, threads=threads)


def convert_bool8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool8")``."""
    return convert(x, "bool8", out=out, where=where, threads=threads)


def convert_bool16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "bool16")``."""
    return convert(x, "bool16", out=out, where=where, threads=threads)


def convert_char(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char")``."""
    return convert(x, "char", out=out, where=where, threads=threads)


def convert_char_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", rounding="rte")``."""
    return convert(x, "char", rounding="rte", out=out, where=where, threads=threads)


def convert_char_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", rounding="rtz")``."""
    return convert(x, "char", rounding="rtz", out=out, where=where, threads=threads)


def convert_char_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", rounding="rtp")``."""
    return convert(x, "char", rounding="rtp", out=out, where=where, threads=threads)


def convert_char_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", rounding="rtn")``."""
    return convert(x, "char", rounding="rtn", out=out, where=where, threads=threads)


def convert_char_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", sat=True)``."""
    return convert(x, "char", sat=True, out=out, where=where, threads=threads)


def convert_char_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", sat=True, rounding="rte")``."""
    return convert(x, "char", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", sat=True, rounding="rtz")``."""
    return convert(x, "char", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", sat=True, rounding="rtp")``."""
    return convert(x, "char", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char", sat=True, rounding="rtn")``."""
    return convert(x, "char", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_char2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2")``."""
    return convert(x, "char2", out=out, where=where, threads=threads)


def convert_char2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", rounding="rte")``."""
    return convert(x, "char2", rounding="rte", out=out, where=where, threads=threads)


def convert_char2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", rounding="rtz")``."""
    return convert(x, "char2", rounding="rtz", out=out, where=where, threads=threads)


def convert_char2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", rounding="rtp")``."""
    return convert(x, "char2", rounding="rtp", out=out, where=where, threads=threads)


def convert_char2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", rounding="rtn")``."""
    return convert(x, "char2", rounding="rtn", out=out, where=where, threads=threads)


def convert_char2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", sat=True)``."""
    return convert(x, "char2", sat=True, out=out, where=where, threads=threads)


def convert_char2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", sat=True, rounding="rte")``."""
    return convert(x, "char2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", sat=True, rounding="rtz")``."""
    return convert(x, "char2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", sat=True, rounding="rtp")``."""
    return convert(x, "char2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char2", sat=True, rounding="rtn")``."""
    return convert(x, "char2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_char3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3")``."""
    return convert(x, "char3", out=out, where=where, threads=threads)


def convert_char3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", rounding="rte")``."""
    return convert(x, "char3", rounding="rte", out=out, where=where, threads=threads)


def convert_char3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", rounding="rtz")``."""
    return convert(x, "char3", rounding="rtz", out=out, where=where, threads=threads)


def convert_char3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", rounding="rtp")``."""
    return convert(x, "char3", rounding="rtp", out=out, where=where, threads=threads)


def convert_char3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", rounding="rtn")``."""
    return convert(x, "char3", rounding="rtn", out=out, where=where, threads=threads)


def convert_char3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", sat=True)``."""
    return convert(x, "char3", sat=True, out=out, where=where, threads=threads)


def convert_char3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", sat=True, rounding="rte")``."""
    return convert(x, "char3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", sat=True, rounding="rtz")``."""
    return convert(x, "char3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", sat=True, rounding="rtp")``."""
    return convert(x, "char3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char3", sat=True, rounding="rtn")``."""
    return convert(x, "char3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_char4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4")``."""
    return convert(x, "char4", out=out, where=where, threads=threads)


def convert_char4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", rounding="rte")``."""
    return convert(x, "char4", rounding="rte", out=out, where=where, threads=threads)


def convert_char4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", rounding="rtz")``."""
    return convert(x, "char4", rounding="rtz", out=out, where=where, threads=threads)


def convert_char4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", rounding="rtp")``."""
    return convert(x, "char4", rounding="rtp", out=out, where=where, threads=threads)


def convert_char4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", rounding="rtn")``."""
    return convert(x, "char4", rounding="rtn", out=out, where=where, threads=threads)


def convert_char4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", sat=True)``."""
    return convert(x, "char4", sat=True, out=out, where=where, threads=threads)


def convert_char4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", sat=True, rounding="rte")``."""
    return convert(x, "char4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", sat=True, rounding="rtz")``."""
    return convert(x, "char4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", sat=True, rounding="rtp")``."""
    return convert(x, "char4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char4", sat=True, rounding="rtn")``."""
    return convert(x, "char4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_char8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8")``."""
    return convert(x, "char8", out=out, where=where, threads=threads)


def convert_char8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", rounding="rte")``."""
    return convert(x, "char8", rounding="rte", out=out, where=where, threads=threads)


def convert_char8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", rounding="rtz")``."""
    return convert(x, "char8", rounding="rtz", out=out, where=where, threads=threads)


def convert_char8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", rounding="rtp")``."""
    return convert(x, "char8", rounding="rtp", out=out, where=where, threads=threads)


def convert_char8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", rounding="rtn")``."""
    return convert(x, "char8", rounding="rtn", out=out, where=where, threads=threads)


def convert_char8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", sat=True)``."""
    return convert(x, "char8", sat=True, out=out, where=where, threads=threads)


def convert_char8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", sat=True, rounding="rte")``."""
    return convert(x, "char8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", sat=True, rounding="rtz")``."""
    return convert(x, "char8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", sat=True, rounding="rtp")``."""
    return convert(x, "char8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char8", sat=True, rounding="rtn")``."""
    return convert(x, "char8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_char16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16")``."""
    return convert(x, "char16", out=out, where=where, threads=threads)


def convert_char16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", rounding="rte")``."""
    return convert(x, "char16", rounding="rte", out=out, where=where, threads=threads)


def convert_char16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", rounding="rtz")``."""
    return convert(x, "char16", rounding="rtz", out=out, where=where, threads=threads)


def convert_char16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", rounding="rtp")``."""
    return convert(x, "char16", rounding="rtp", out=out, where=where, threads=threads)


def convert_char16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", rounding="rtn")``."""
    return convert(x, "char16", rounding="rtn", out=out, where=where, threads=threads)


def convert_char16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", sat=True)``."""
    return convert(x, "char16", sat=True, out=out, where=where, threads=threads)


def convert_char16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", sat=True, rounding="rte")``."""
    return convert(x, "char16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_char16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", sat=True, rounding="rtz")``."""
    return convert(x, "char16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_char16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", sat=True, rounding="rtp")``."""
    return convert(x, "char16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_char16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "char16", sat=True, rounding="rtn")``."""
    return convert(x, "char16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar")``."""
    return convert(x, "uchar", out=out, where=where, threads=threads)


def convert_uchar_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", rounding="rte")``."""
    return convert(x, "uchar", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", rounding="rtz")``."""
    return convert(x, "uchar", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", rounding="rtp")``."""
    return convert(x, "uchar", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", rounding="rtn")``."""
    return convert(x, "uchar", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", sat=True)``."""
    return convert(x, "uchar", sat=True, out=out, where=where, threads=threads)


def convert_uchar_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", sat=True, rounding="rte")``."""
    return convert(x, "uchar", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", sat=True, rounding="rtz")``."""
    return convert(x, "uchar", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", sat=True, rounding="rtp")``."""
    return convert(x, "uchar", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar", sat=True, rounding="rtn")``."""
    return convert(x, "uchar", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2")``."""
    return convert(x, "uchar2", out=out, where=where, threads=threads)


def convert_uchar2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", rounding="rte")``."""
    return convert(x, "uchar2", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", rounding="rtz")``."""
    return convert(x, "uchar2", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", rounding="rtp")``."""
    return convert(x, "uchar2", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", rounding="rtn")``."""
    return convert(x, "uchar2", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", sat=True)``."""
    return convert(x, "uchar2", sat=True, out=out, where=where, threads=threads)


def convert_uchar2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", sat=True, rounding="rte")``."""
    return convert(x, "uchar2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", sat=True, rounding="rtz")``."""
    return convert(x, "uchar2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", sat=True, rounding="rtp")``."""
    return convert(x, "uchar2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar2", sat=True, rounding="rtn")``."""
    return convert(x, "uchar2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3")``."""
    return convert(x, "uchar3", out=out, where=where, threads=threads)


def convert_uchar3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", rounding="rte")``."""
    return convert(x, "uchar3", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", rounding="rtz")``."""
    return convert(x, "uchar3", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", rounding="rtp")``."""
    return convert(x, "uchar3", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", rounding="rtn")``."""
    return convert(x, "uchar3", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", sat=True)``."""
    return convert(x, "uchar3", sat=True, out=out, where=where, threads=threads)


def convert_uchar3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", sat=True, rounding="rte")``."""
    return convert(x, "uchar3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", sat=True, rounding="rtz")``."""
    return convert(x, "uchar3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", sat=True, rounding="rtp")``."""
    return convert(x, "uchar3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar3", sat=True, rounding="rtn")``."""
    return convert(x, "uchar3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4")``."""
    return convert(x, "uchar4", out=out, where=where, threads=threads)


def convert_uchar4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", rounding="rte")``."""
    return convert(x, "uchar4", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", rounding="rtz")``."""
    return convert(x, "uchar4", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", rounding="rtp")``."""
    return convert(x, "uchar4", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", rounding="rtn")``."""
    return convert(x, "uchar4", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", sat=True)``."""
    return convert(x, "uchar4", sat=True, out=out, where=where, threads=threads)


def convert_uchar4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", sat=True, rounding="rte")``."""
    return convert(x, "uchar4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", sat=True, rounding="rtz")``."""
    return convert(x, "uchar4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", sat=True, rounding="rtp")``."""
    return convert(x, "uchar4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar4", sat=True, rounding="rtn")``."""
    return convert(x, "uchar4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8")``."""
    return convert(x, "uchar8", out=out, where=where, threads=threads)


def convert_uchar8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", rounding="rte")``."""
    return convert(x, "uchar8", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", rounding="rtz")``."""
    return convert(x, "uchar8", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", rounding="rtp")``."""
    return convert(x, "uchar8", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", rounding="rtn")``."""
    return convert(x, "uchar8", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", sat=True)``."""
    return convert(x, "uchar8", sat=True, out=out, where=where, threads=threads)


def convert_uchar8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", sat=True, rounding="rte")``."""
    return convert(x, "uchar8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", sat=True, rounding="rtz")``."""
    return convert(x, "uchar8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", sat=True, rounding="rtp")``."""
    return convert(x, "uchar8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar8", sat=True, rounding="rtn")``."""
    return convert(x, "uchar8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16")``."""
    return convert(x, "uchar16", out=out, where=where, threads=threads)


def convert_uchar16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", rounding="rte")``."""
    return convert(x, "uchar16", rounding="rte", out=out, where=where, threads=threads)


def convert_uchar16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", rounding="rtz")``."""
    return convert(x, "uchar16", rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", rounding="rtp")``."""
    return convert(x, "uchar16", rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", rounding="rtn")``."""
    return convert(x, "uchar16", rounding="rtn", out=out, where=where, threads=threads)


def convert_uchar16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", sat=True)``."""
    return convert(x, "uchar16", sat=True, out=out, where=where, threads=threads)


def convert_uchar16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", sat=True, rounding="rte")``."""
    return convert(x, "uchar16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uchar16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", sat=True, rounding="rtz")``."""
    return convert(x, "uchar16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uchar16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", sat=True, rounding="rtp")``."""
    return convert(x, "uchar16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uchar16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uchar16", sat=True, rounding="rtn")``."""
    return convert(x, "uchar16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short")``."""
    return convert(x, "short", out=out, where=where, threads=threads)


def convert_short_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", rounding="rte")``."""
    return convert(x, "short", rounding="rte", out=out, where=where, threads=threads)


def convert_short_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", rounding="rtz")``."""
    return convert(x, "short", rounding="rtz", out=out, where=where, threads=threads)


def convert_short_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", rounding="rtp")``."""
    return convert(x, "short", rounding="rtp", out=out, where=where, threads=threads)


def convert_short_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", rounding="rtn")``."""
    return convert(x, "short", rounding="rtn", out=out, where=where, threads=threads)


def convert_short_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", sat=True)``."""
    return convert(x, "short", sat=True, out=out, where=where, threads=threads)


def convert_short_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", sat=True, rounding="rte")``."""
    return convert(x, "short", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", sat=True, rounding="rtz")``."""
    return convert(x, "short", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", sat=True, rounding="rtp")``."""
    return convert(x, "short", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short", sat=True, rounding="rtn")``."""
    return convert(x, "short", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2")``."""
    return convert(x, "short2", out=out, where=where, threads=threads)


def convert_short2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", rounding="rte")``."""
    return convert(x, "short2", rounding="rte", out=out, where=where, threads=threads)


def convert_short2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", rounding="rtz")``."""
    return convert(x, "short2", rounding="rtz", out=out, where=where, threads=threads)


def convert_short2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", rounding="rtp")``."""
    return convert(x, "short2", rounding="rtp", out=out, where=where, threads=threads)


def convert_short2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", rounding="rtn")``."""
    return convert(x, "short2", rounding="rtn", out=out, where=where, threads=threads)


def convert_short2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", sat=True)``."""
    return convert(x, "short2", sat=True, out=out, where=where, threads=threads)


def convert_short2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", sat=True, rounding="rte")``."""
    return convert(x, "short2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", sat=True, rounding="rtz")``."""
    return convert(x, "short2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", sat=True, rounding="rtp")``."""
    return convert(x, "short2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short2", sat=True, rounding="rtn")``."""
    return convert(x, "short2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3")``."""
    return convert(x, "short3", out=out, where=where, threads=threads)


def convert_short3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", rounding="rte")``."""
    return convert(x, "short3", rounding="rte", out=out, where=where, threads=threads)


def convert_short3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", rounding="rtz")``."""
    return convert(x, "short3", rounding="rtz", out=out, where=where, threads=threads)


def convert_short3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", rounding="rtp")``."""
    return convert(x, "short3", rounding="rtp", out=out, where=where, threads=threads)


def convert_short3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", rounding="rtn")``."""
    return convert(x, "short3", rounding="rtn", out=out, where=where, threads=threads)


def convert_short3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", sat=True)``."""
    return convert(x, "short3", sat=True, out=out, where=where, threads=threads)


def convert_short3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", sat=True, rounding="rte")``."""
    return convert(x, "short3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", sat=True, rounding="rtz")``."""
    return convert(x, "short3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", sat=True, rounding="rtp")``."""
    return convert(x, "short3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short3", sat=True, rounding="rtn")``."""
    return convert(x, "short3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4")``."""
    return convert(x, "short4", out=out, where=where, threads=threads)


def convert_short4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", rounding="rte")``."""
    return convert(x, "short4", rounding="rte", out=out, where=where, threads=threads)


def convert_short4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", rounding="rtz")``."""
    return convert(x, "short4", rounding="rtz", out=out, where=where, threads=threads)


def convert_short4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", rounding="rtp")``."""
    return convert(x, "short4", rounding="rtp", out=out, where=where, threads=threads)


def convert_short4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", rounding="rtn")``."""
    return convert(x, "short4", rounding="rtn", out=out, where=where, threads=threads)


def convert_short4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", sat=True)``."""
    return convert(x, "short4", sat=True, out=out, where=where, threads=threads)


def convert_short4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", sat=True, rounding="rte")``."""
    return convert(x, "short4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", sat=True, rounding="rtz")``."""
    return convert(x, "short4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", sat=True, rounding="rtp")``."""
    return convert(x, "short4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short4", sat=True, rounding="rtn")``."""
    return convert(x, "short4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8")``."""
    return convert(x, "short8", out=out, where=where, threads=threads)


def convert_short8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", rounding="rte")``."""
    return convert(x, "short8", rounding="rte", out=out, where=where, threads=threads)


def convert_short8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", rounding="rtz")``."""
    return convert(x, "short8", rounding="rtz", out=out, where=where, threads=threads)


def convert_short8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", rounding="rtp")``."""
    return convert(x, "short8", rounding="rtp", out=out, where=where, threads=threads)


def convert_short8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", rounding="rtn")``."""
    return convert(x, "short8", rounding="rtn", out=out, where=where, threads=threads)


def convert_short8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", sat=True)``."""
    return convert(x, "short8", sat=True, out=out, where=where, threads=threads)


def convert_short8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", sat=True, rounding="rte")``."""
    return convert(x, "short8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", sat=True, rounding="rtz")``."""
    return convert(x, "short8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", sat=True, rounding="rtp")``."""
    return convert(x, "short8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short8", sat=True, rounding="rtn")``."""
    return convert(x, "short8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_short16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16")``."""
    return convert(x, "short16", out=out, where=where, threads=threads)


def convert_short16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", rounding="rte")``."""
    return convert(x, "short16", rounding="rte", out=out, where=where, threads=threads)


def convert_short16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", rounding="rtz")``."""
    return convert(x, "short16", rounding="rtz", out=out, where=where, threads=threads)


def convert_short16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", rounding="rtp")``."""
    return convert(x, "short16", rounding="rtp", out=out, where=where, threads=threads)


def convert_short16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", rounding="rtn")``."""
    return convert(x, "short16", rounding="rtn", out=out, where=where, threads=threads)


def convert_short16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", sat=True)``."""
    return convert(x, "short16", sat=True, out=out, where=where, threads=threads)


def convert_short16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", sat=True, rounding="rte")``."""
    return convert(x, "short16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_short16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", sat=True, rounding="rtz")``."""
    return convert(x, "short16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_short16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", sat=True, rounding="rtp")``."""
    return convert(x, "short16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_short16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "short16", sat=True, rounding="rtn")``."""
    return convert(x, "short16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort")``."""
    return convert(x, "ushort", out=out, where=where, threads=threads)


def convert_ushort_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", rounding="rte")``."""
    return convert(x, "ushort", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", rounding="rtz")``."""
    return convert(x, "ushort", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", rounding="rtp")``."""
    return convert(x, "ushort", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", rounding="rtn")``."""
    return convert(x, "ushort", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", sat=True)``."""
    return convert(x, "ushort", sat=True, out=out, where=where, threads=threads)


def convert_ushort_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", sat=True, rounding="rte")``."""
    return convert(x, "ushort", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", sat=True, rounding="rtz")``."""
    return convert(x, "ushort", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", sat=True, rounding="rtp")``."""
    return convert(x, "ushort", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort", sat=True, rounding="rtn")``."""
    return convert(x, "ushort", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2")``."""
    return convert(x, "ushort2", out=out, where=where, threads=threads)


def convert_ushort2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", rounding="rte")``."""
    return convert(x, "ushort2", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", rounding="rtz")``."""
    return convert(x, "ushort2", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", rounding="rtp")``."""
    return convert(x, "ushort2", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", rounding="rtn")``."""
    return convert(x, "ushort2", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", sat=True)``."""
    return convert(x, "ushort2", sat=True, out=out, where=where, threads=threads)


def convert_ushort2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", sat=True, rounding="rte")``."""
    return convert(x, "ushort2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", sat=True, rounding="rtz")``."""
    return convert(x, "ushort2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", sat=True, rounding="rtp")``."""
    return convert(x, "ushort2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort2", sat=True, rounding="rtn")``."""
    return convert(x, "ushort2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3")``."""
    return convert(x, "ushort3", out=out, where=where, threads=threads)


def convert_ushort3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", rounding="rte")``."""
    return convert(x, "ushort3", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", rounding="rtz")``."""
    return convert(x, "ushort3", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", rounding="rtp")``."""
    return convert(x, "ushort3", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", rounding="rtn")``."""
    return convert(x, "ushort3", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", sat=True)``."""
    return convert(x, "ushort3", sat=True, out=out, where=where, threads=threads)


def convert_ushort3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", sat=True, rounding="rte")``."""
    return convert(x, "ushort3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", sat=True, rounding="rtz")``."""
    return convert(x, "ushort3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", sat=True, rounding="rtp")``."""
    return convert(x, "ushort3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort3", sat=True, rounding="rtn")``."""
    return convert(x, "ushort3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4")``."""
    return convert(x, "ushort4", out=out, where=where, threads=threads)


def convert_ushort4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", rounding="rte")``."""
    return convert(x, "ushort4", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", rounding="rtz")``."""
    return convert(x, "ushort4", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", rounding="rtp")``."""
    return convert(x, "ushort4", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", rounding="rtn")``."""
    return convert(x, "ushort4", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", sat=True)``."""
    return convert(x, "ushort4", sat=True, out=out, where=where, threads=threads)


def convert_ushort4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", sat=True, rounding="rte")``."""
    return convert(x, "ushort4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", sat=True, rounding="rtz")``."""
    return convert(x, "ushort4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", sat=True, rounding="rtp")``."""
    return convert(x, "ushort4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort4", sat=True, rounding="rtn")``."""
    return convert(x, "ushort4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8")``."""
    return convert(x, "ushort8", out=out, where=where, threads=threads)


def convert_ushort8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", rounding="rte")``."""
    return convert(x, "ushort8", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", rounding="rtz")``."""
    return convert(x, "ushort8", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", rounding="rtp")``."""
    return convert(x, "ushort8", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", rounding="rtn")``."""
    return convert(x, "ushort8", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", sat=True)``."""
    return convert(x, "ushort8", sat=True, out=out, where=where, threads=threads)


def convert_ushort8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", sat=True, rounding="rte")``."""
    return convert(x, "ushort8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", sat=True, rounding="rtz")``."""
    return convert(x, "ushort8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", sat=True, rounding="rtp")``."""
    return convert(x, "ushort8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort8", sat=True, rounding="rtn")``."""
    return convert(x, "ushort8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16")``."""
    return convert(x, "ushort16", out=out, where=where, threads=threads)


def convert_ushort16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", rounding="rte")``."""
    return convert(x, "ushort16", rounding="rte", out=out, where=where, threads=threads)


def convert_ushort16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", rounding="rtz")``."""
    return convert(x, "ushort16", rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", rounding="rtp")``."""
    return convert(x, "ushort16", rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", rounding="rtn")``."""
    return convert(x, "ushort16", rounding="rtn", out=out, where=where, threads=threads)


def convert_ushort16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", sat=True)``."""
    return convert(x, "ushort16", sat=True, out=out, where=where, threads=threads)


def convert_ushort16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", sat=True, rounding="rte")``."""
    return convert(x, "ushort16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ushort16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", sat=True, rounding="rtz")``."""
    return convert(x, "ushort16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ushort16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", sat=True, rounding="rtp")``."""
    return convert(x, "ushort16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ushort16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ushort16", sat=True, rounding="rtn")``."""
    return convert(x, "ushort16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int")``."""
    return convert(x, "int", out=out, where=where, threads=threads)


def convert_int_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", rounding="rte")``."""
    return convert(x, "int", rounding="rte", out=out, where=where, threads=threads)


def convert_int_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", rounding="rtz")``."""
    return convert(x, "int", rounding="rtz", out=out, where=where, threads=threads)


def convert_int_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", rounding="rtp")``."""
    return convert(x, "int", rounding="rtp", out=out, where=where, threads=threads)


def convert_int_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", rounding="rtn")``."""
    return convert(x, "int", rounding="rtn", out=out, where=where, threads=threads)


def convert_int_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", sat=True)``."""
    return convert(x, "int", sat=True, out=out, where=where, threads=threads)


def convert_int_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", sat=True, rounding="rte")``."""
    return convert(x, "int", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", sat=True, rounding="rtz")``."""
    return convert(x, "int", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", sat=True, rounding="rtp")``."""
    return convert(x, "int", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int", sat=True, rounding="rtn")``."""
    return convert(x, "int", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2")``."""
    return convert(x, "int2", out=out, where=where, threads=threads)


def convert_int2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", rounding="rte")``."""
    return convert(x, "int2", rounding="rte", out=out, where=where, threads=threads)


def convert_int2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", rounding="rtz")``."""
    return convert(x, "int2", rounding="rtz", out=out, where=where, threads=threads)


def convert_int2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", rounding="rtp")``."""
    return convert(x, "int2", rounding="rtp", out=out, where=where, threads=threads)


def convert_int2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", rounding="rtn")``."""
    return convert(x, "int2", rounding="rtn", out=out, where=where, threads=threads)


def convert_int2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", sat=True)``."""
    return convert(x, "int2", sat=True, out=out, where=where, threads=threads)


def convert_int2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", sat=True, rounding="rte")``."""
    return convert(x, "int2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", sat=True, rounding="rtz")``."""
    return convert(x, "int2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", sat=True, rounding="rtp")``."""
    return convert(x, "int2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int2", sat=True, rounding="rtn")``."""
    return convert(x, "int2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3")``."""
    return convert(x, "int3", out=out, where=where, threads=threads)


def convert_int3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", rounding="rte")``."""
    return convert(x, "int3", rounding="rte", out=out, where=where, threads=threads)


def convert_int3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", rounding="rtz")``."""
    return convert(x, "int3", rounding="rtz", out=out, where=where, threads=threads)


def convert_int3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", rounding="rtp")``."""
    return convert(x, "int3", rounding="rtp", out=out, where=where, threads=threads)


def convert_int3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", rounding="rtn")``."""
    return convert(x, "int3", rounding="rtn", out=out, where=where, threads=threads)


def convert_int3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", sat=True)``."""
    return convert(x, "int3", sat=True, out=out, where=where, threads=threads)


def convert_int3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", sat=True, rounding="rte")``."""
    return convert(x, "int3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", sat=True, rounding="rtz")``."""
    return convert(x, "int3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", sat=True, rounding="rtp")``."""
    return convert(x, "int3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int3", sat=True, rounding="rtn")``."""
    return convert(x, "int3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4")``."""
    return convert(x, "int4", out=out, where=where, threads=threads)


def convert_int4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", rounding="rte")``."""
    return convert(x, "int4", rounding="rte", out=out, where=where, threads=threads)


def convert_int4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", rounding="rtz")``."""
    return convert(x, "int4", rounding="rtz", out=out, where=where, threads=threads)


def convert_int4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", rounding="rtp")``."""
    return convert(x, "int4", rounding="rtp", out=out, where=where, threads=threads)


def convert_int4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", rounding="rtn")``."""
    return convert(x, "int4", rounding="rtn", out=out, where=where, threads=threads)


def convert_int4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", sat=True)``."""
    return convert(x, "int4", sat=True, out=out, where=where, threads=threads)


def convert_int4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", sat=True, rounding="rte")``."""
    return convert(x, "int4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", sat=True, rounding="rtz")``."""
    return convert(x, "int4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", sat=True, rounding="rtp")``."""
    return convert(x, "int4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int4", sat=True, rounding="rtn")``."""
    return convert(x, "int4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8")``."""
    return convert(x, "int8", out=out, where=where, threads=threads)


def convert_int8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", rounding="rte")``."""
    return convert(x, "int8", rounding="rte", out=out, where=where, threads=threads)


def convert_int8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", rounding="rtz")``."""
    return convert(x, "int8", rounding="rtz", out=out, where=where, threads=threads)


def convert_int8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", rounding="rtp")``."""
    return convert(x, "int8", rounding="rtp", out=out, where=where, threads=threads)


def convert_int8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", rounding="rtn")``."""
    return convert(x, "int8", rounding="rtn", out=out, where=where, threads=threads)


def convert_int8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", sat=True)``."""
    return convert(x, "int8", sat=True, out=out, where=where, threads=threads)


def convert_int8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", sat=True, rounding="rte")``."""
    return convert(x, "int8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", sat=True, rounding="rtz")``."""
    return convert(x, "int8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", sat=True, rounding="rtp")``."""
    return convert(x, "int8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int8", sat=True, rounding="rtn")``."""
    return convert(x, "int8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_int16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16")``."""
    return convert(x, "int16", out=out, where=where, threads=threads)


def convert_int16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", rounding="rte")``."""
    return convert(x, "int16", rounding="rte", out=out, where=where, threads=threads)


def convert_int16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", rounding="rtz")``."""
    return convert(x, "int16", rounding="rtz", out=out, where=where, threads=threads)


def convert_int16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", rounding="rtp")``."""
    return convert(x, "int16", rounding="rtp", out=out, where=where, threads=threads)


def convert_int16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", rounding="rtn")``."""
    return convert(x, "int16", rounding="rtn", out=out, where=where, threads=threads)


def convert_int16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", sat=True)``."""
    return convert(x, "int16", sat=True, out=out, where=where, threads=threads)


def convert_int16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", sat=True, rounding="rte")``."""
    return convert(x, "int16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_int16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", sat=True, rounding="rtz")``."""
    return convert(x, "int16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_int16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", sat=True, rounding="rtp")``."""
    return convert(x, "int16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_int16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "int16", sat=True, rounding="rtn")``."""
    return convert(x, "int16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint")``."""
    return convert(x, "uint", out=out, where=where, threads=threads)


def convert_uint_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", rounding="rte")``."""
    return convert(x, "uint", rounding="rte", out=out, where=where, threads=threads)


def convert_uint_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", rounding="rtz")``."""
    return convert(x, "uint", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", rounding="rtp")``."""
    return convert(x, "uint", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", rounding="rtn")``."""
    return convert(x, "uint", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", sat=True)``."""
    return convert(x, "uint", sat=True, out=out, where=where, threads=threads)


def convert_uint_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", sat=True, rounding="rte")``."""
    return convert(x, "uint", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", sat=True, rounding="rtz")``."""
    return convert(x, "uint", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", sat=True, rounding="rtp")``."""
    return convert(x, "uint", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint", sat=True, rounding="rtn")``."""
    return convert(x, "uint", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2")``."""
    return convert(x, "uint2", out=out, where=where, threads=threads)


def convert_uint2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", rounding="rte")``."""
    return convert(x, "uint2", rounding="rte", out=out, where=where, threads=threads)


def convert_uint2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", rounding="rtz")``."""
    return convert(x, "uint2", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", rounding="rtp")``."""
    return convert(x, "uint2", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", rounding="rtn")``."""
    return convert(x, "uint2", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", sat=True)``."""
    return convert(x, "uint2", sat=True, out=out, where=where, threads=threads)


def convert_uint2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", sat=True, rounding="rte")``."""
    return convert(x, "uint2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", sat=True, rounding="rtz")``."""
    return convert(x, "uint2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", sat=True, rounding="rtp")``."""
    return convert(x, "uint2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint2", sat=True, rounding="rtn")``."""
    return convert(x, "uint2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3")``."""
    return convert(x, "uint3", out=out, where=where, threads=threads)


def convert_uint3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", rounding="rte")``."""
    return convert(x, "uint3", rounding="rte", out=out, where=where, threads=threads)


def convert_uint3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", rounding="rtz")``."""
    return convert(x, "uint3", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", rounding="rtp")``."""
    return convert(x, "uint3", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", rounding="rtn")``."""
    return convert(x, "uint3", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", sat=True)``."""
    return convert(x, "uint3", sat=True, out=out, where=where, threads=threads)


def convert_uint3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", sat=True, rounding="rte")``."""
    return convert(x, "uint3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", sat=True, rounding="rtz")``."""
    return convert(x, "uint3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", sat=True, rounding="rtp")``."""
    return convert(x, "uint3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint3", sat=True, rounding="rtn")``."""
    return convert(x, "uint3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4")``."""
    return convert(x, "uint4", out=out, where=where, threads=threads)


def convert_uint4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", rounding="rte")``."""
    return convert(x, "uint4", rounding="rte", out=out, where=where, threads=threads)


def convert_uint4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", rounding="rtz")``."""
    return convert(x, "uint4", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", rounding="rtp")``."""
    return convert(x, "uint4", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", rounding="rtn")``."""
    return convert(x, "uint4", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", sat=True)``."""
    return convert(x, "uint4", sat=True, out=out, where=where, threads=threads)


def convert_uint4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", sat=True, rounding="rte")``."""
    return convert(x, "uint4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", sat=True, rounding="rtz")``."""
    return convert(x, "uint4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", sat=True, rounding="rtp")``."""
    return convert(x, "uint4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint4", sat=True, rounding="rtn")``."""
    return convert(x, "uint4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8")``."""
    return convert(x, "uint8", out=out, where=where, threads=threads)


def convert_uint8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", rounding="rte")``."""
    return convert(x, "uint8", rounding="rte", out=out, where=where, threads=threads)


def convert_uint8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", rounding="rtz")``."""
    return convert(x, "uint8", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", rounding="rtp")``."""
    return convert(x, "uint8", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", rounding="rtn")``."""
    return convert(x, "uint8", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", sat=True)``."""
    return convert(x, "uint8", sat=True, out=out, where=where, threads=threads)


def convert_uint8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", sat=True, rounding="rte")``."""
    return convert(x, "uint8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", sat=True, rounding="rtz")``."""
    return convert(x, "uint8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", sat=True, rounding="rtp")``."""
    return convert(x, "uint8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint8", sat=True, rounding="rtn")``."""
    return convert(x, "uint8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_uint16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16")``."""
    return convert(x, "uint16", out=out, where=where, threads=threads)


def convert_uint16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", rounding="rte")``."""
    return convert(x, "uint16", rounding="rte", out=out, where=where, threads=threads)


def convert_uint16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", rounding="rtz")``."""
    return convert(x, "uint16", rounding="rtz", out=out, where=where, threads=threads)


def convert_uint16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", rounding="rtp")``."""
    return convert(x, "uint16", rounding="rtp", out=out, where=where, threads=threads)


def convert_uint16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", rounding="rtn")``."""
    return convert(x, "uint16", rounding="rtn", out=out, where=where, threads=threads)


def convert_uint16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", sat=True)``."""
    return convert(x, "uint16", sat=True, out=out, where=where, threads=threads)


def convert_uint16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", sat=True, rounding="rte")``."""
    return convert(x, "uint16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_uint16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", sat=True, rounding="rtz")``."""
    return convert(x, "uint16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_uint16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", sat=True, rounding="rtp")``."""
    return convert(x, "uint16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_uint16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "uint16", sat=True, rounding="rtn")``."""
    return convert(x, "uint16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long")``."""
    return convert(x, "long", out=out, where=where, threads=threads)


def convert_long_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", rounding="rte")``."""
    return convert(x, "long", rounding="rte", out=out, where=where, threads=threads)


def convert_long_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", rounding="rtz")``."""
    return convert(x, "long", rounding="rtz", out=out, where=where, threads=threads)


def convert_long_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", rounding="rtp")``."""
    return convert(x, "long", rounding="rtp", out=out, where=where, threads=threads)


def convert_long_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", rounding="rtn")``."""
    return convert(x, "long", rounding="rtn", out=out, where=where, threads=threads)


def convert_long_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", sat=True)``."""
    return convert(x, "long", sat=True, out=out, where=where, threads=threads)


def convert_long_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", sat=True, rounding="rte")``."""
    return convert(x, "long", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", sat=True, rounding="rtz")``."""
    return convert(x, "long", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", sat=True, rounding="rtp")``."""
    return convert(x, "long", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long", sat=True, rounding="rtn")``."""
    return convert(x, "long", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2")``."""
    return convert(x, "long2", out=out, where=where, threads=threads)


def convert_long2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", rounding="rte")``."""
    return convert(x, "long2", rounding="rte", out=out, where=where, threads=threads)


def convert_long2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", rounding="rtz")``."""
    return convert(x, "long2", rounding="rtz", out=out, where=where, threads=threads)


def convert_long2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", rounding="rtp")``."""
    return convert(x, "long2", rounding="rtp", out=out, where=where, threads=threads)


def convert_long2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", rounding="rtn")``."""
    return convert(x, "long2", rounding="rtn", out=out, where=where, threads=threads)


def convert_long2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", sat=True)``."""
    return convert(x, "long2", sat=True, out=out, where=where, threads=threads)


def convert_long2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", sat=True, rounding="rte")``."""
    return convert(x, "long2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", sat=True, rounding="rtz")``."""
    return convert(x, "long2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", sat=True, rounding="rtp")``."""
    return convert(x, "long2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long2", sat=True, rounding="rtn")``."""
    return convert(x, "long2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3")``."""
    return convert(x, "long3", out=out, where=where, threads=threads)


def convert_long3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", rounding="rte")``."""
    return convert(x, "long3", rounding="rte", out=out, where=where, threads=threads)


def convert_long3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", rounding="rtz")``."""
    return convert(x, "long3", rounding="rtz", out=out, where=where, threads=threads)


def convert_long3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", rounding="rtp")``."""
    return convert(x, "long3", rounding="rtp", out=out, where=where, threads=threads)


def convert_long3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", rounding="rtn")``."""
    return convert(x, "long3", rounding="rtn", out=out, where=where, threads=threads)


def convert_long3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", sat=True)``."""
    return convert(x, "long3", sat=True, out=out, where=where, threads=threads)


def convert_long3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", sat=True, rounding="rte")``."""
    return convert(x, "long3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", sat=True, rounding="rtz")``."""
    return convert(x, "long3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", sat=True, rounding="rtp")``."""
    return convert(x, "long3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long3", sat=True, rounding="rtn")``."""
    return convert(x, "long3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4")``."""
    return convert(x, "long4", out=out, where=where, threads=threads)


def convert_long4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", rounding="rte")``."""
    return convert(x, "long4", rounding="rte", out=out, where=where, threads=threads)


def convert_long4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", rounding="rtz")``."""
    return convert(x, "long4", rounding="rtz", out=out, where=where, threads=threads)


def convert_long4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", rounding="rtp")``."""
    return convert(x, "long4", rounding="rtp", out=out, where=where, threads=threads)


def convert_long4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", rounding="rtn")``."""
    return convert(x, "long4", rounding="rtn", out=out, where=where, threads=threads)


def convert_long4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", sat=True)``."""
    return convert(x, "long4", sat=True, out=out, where=where, threads=threads)


def convert_long4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", sat=True, rounding="rte")``."""
    return convert(x, "long4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", sat=True, rounding="rtz")``."""
    return convert(x, "long4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", sat=True, rounding="rtp")``."""
    return convert(x, "long4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long4", sat=True, rounding="rtn")``."""
    return convert(x, "long4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8")``."""
    return convert(x, "long8", out=out, where=where, threads=threads)


def convert_long8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", rounding="rte")``."""
    return convert(x, "long8", rounding="rte", out=out, where=where, threads=threads)


def convert_long8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", rounding="rtz")``."""
    return convert(x, "long8", rounding="rtz", out=out, where=where, threads=threads)


def convert_long8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", rounding="rtp")``."""
    return convert(x, "long8", rounding="rtp", out=out, where=where, threads=threads)


def convert_long8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", rounding="rtn")``."""
    return convert(x, "long8", rounding="rtn", out=out, where=where, threads=threads)


def convert_long8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", sat=True)``."""
    return convert(x, "long8", sat=True, out=out, where=where, threads=threads)


def convert_long8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", sat=True, rounding="rte")``."""
    return convert(x, "long8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", sat=True, rounding="rtz")``."""
    return convert(x, "long8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", sat=True, rounding="rtp")``."""
    return convert(x, "long8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long8", sat=True, rounding="rtn")``."""
    return convert(x, "long8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_long16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16")``."""
    return convert(x, "long16", out=out, where=where, threads=threads)


def convert_long16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", rounding="rte")``."""
    return convert(x, "long16", rounding="rte", out=out, where=where, threads=threads)


def convert_long16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", rounding="rtz")``."""
    return convert(x, "long16", rounding="rtz", out=out, where=where, threads=threads)


def convert_long16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", rounding="rtp")``."""
    return convert(x, "long16", rounding="rtp", out=out, where=where, threads=threads)


def convert_long16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", rounding="rtn")``."""
    return convert(x, "long16", rounding="rtn", out=out, where=where, threads=threads)


def convert_long16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", sat=True)``."""
    return convert(x, "long16", sat=True, out=out, where=where, threads=threads)


def convert_long16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", sat=True, rounding="rte")``."""
    return convert(x, "long16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_long16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", sat=True, rounding="rtz")``."""
    return convert(x, "long16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_long16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", sat=True, rounding="rtp")``."""
    return convert(x, "long16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_long16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "long16", sat=True, rounding="rtn")``."""
    return convert(x, "long16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong")``."""
    return convert(x, "ulong", out=out, where=where, threads=threads)


def convert_ulong_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", rounding="rte")``."""
    return convert(x, "ulong", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", rounding="rtz")``."""
    return convert(x, "ulong", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", rounding="rtp")``."""
    return convert(x, "ulong", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", rounding="rtn")``."""
    return convert(x, "ulong", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", sat=True)``."""
    return convert(x, "ulong", sat=True, out=out, where=where, threads=threads)


def convert_ulong_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", sat=True, rounding="rte")``."""
    return convert(x, "ulong", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", sat=True, rounding="rtz")``."""
    return convert(x, "ulong", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", sat=True, rounding="rtp")``."""
    return convert(x, "ulong", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong", sat=True, rounding="rtn")``."""
    return convert(x, "ulong", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2")``."""
    return convert(x, "ulong2", out=out, where=where, threads=threads)


def convert_ulong2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", rounding="rte")``."""
    return convert(x, "ulong2", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", rounding="rtz")``."""
    return convert(x, "ulong2", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", rounding="rtp")``."""
    return convert(x, "ulong2", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", rounding="rtn")``."""
    return convert(x, "ulong2", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong2_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", sat=True)``."""
    return convert(x, "ulong2", sat=True, out=out, where=where, threads=threads)


def convert_ulong2_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", sat=True, rounding="rte")``."""
    return convert(x, "ulong2", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong2_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", sat=True, rounding="rtz")``."""
    return convert(x, "ulong2", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong2_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", sat=True, rounding="rtp")``."""
    return convert(x, "ulong2", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong2_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong2", sat=True, rounding="rtn")``."""
    return convert(x, "ulong2", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3")``."""
    return convert(x, "ulong3", out=out, where=where, threads=threads)


def convert_ulong3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", rounding="rte")``."""
    return convert(x, "ulong3", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", rounding="rtz")``."""
    return convert(x, "ulong3", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", rounding="rtp")``."""
    return convert(x, "ulong3", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", rounding="rtn")``."""
    return convert(x, "ulong3", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong3_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", sat=True)``."""
    return convert(x, "ulong3", sat=True, out=out, where=where, threads=threads)


def convert_ulong3_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", sat=True, rounding="rte")``."""
    return convert(x, "ulong3", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong3_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", sat=True, rounding="rtz")``."""
    return convert(x, "ulong3", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong3_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", sat=True, rounding="rtp")``."""
    return convert(x, "ulong3", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong3_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong3", sat=True, rounding="rtn")``."""
    return convert(x, "ulong3", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4")``."""
    return convert(x, "ulong4", out=out, where=where, threads=threads)


def convert_ulong4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", rounding="rte")``."""
    return convert(x, "ulong4", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", rounding="rtz")``."""
    return convert(x, "ulong4", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", rounding="rtp")``."""
    return convert(x, "ulong4", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", rounding="rtn")``."""
    return convert(x, "ulong4", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong4_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", sat=True)``."""
    return convert(x, "ulong4", sat=True, out=out, where=where, threads=threads)


def convert_ulong4_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", sat=True, rounding="rte")``."""
    return convert(x, "ulong4", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong4_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", sat=True, rounding="rtz")``."""
    return convert(x, "ulong4", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong4_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", sat=True, rounding="rtp")``."""
    return convert(x, "ulong4", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong4_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong4", sat=True, rounding="rtn")``."""
    return convert(x, "ulong4", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8")``."""
    return convert(x, "ulong8", out=out, where=where, threads=threads)


def convert_ulong8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", rounding="rte")``."""
    return convert(x, "ulong8", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", rounding="rtz")``."""
    return convert(x, "ulong8", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", rounding="rtp")``."""
    return convert(x, "ulong8", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", rounding="rtn")``."""
    return convert(x, "ulong8", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong8_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", sat=True)``."""
    return convert(x, "ulong8", sat=True, out=out, where=where, threads=threads)


def convert_ulong8_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", sat=True, rounding="rte")``."""
    return convert(x, "ulong8", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong8_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", sat=True, rounding="rtz")``."""
    return convert(x, "ulong8", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong8_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", sat=True, rounding="rtp")``."""
    return convert(x, "ulong8", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong8_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong8", sat=True, rounding="rtn")``."""
    return convert(x, "ulong8", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16")``."""
    return convert(x, "ulong16", out=out, where=where, threads=threads)


def convert_ulong16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", rounding="rte")``."""
    return convert(x, "ulong16", rounding="rte", out=out, where=where, threads=threads)


def convert_ulong16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", rounding="rtz")``."""
    return convert(x, "ulong16", rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", rounding="rtp")``."""
    return convert(x, "ulong16", rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", rounding="rtn")``."""
    return convert(x, "ulong16", rounding="rtn", out=out, where=where, threads=threads)


def convert_ulong16_sat(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", sat=True)``."""
    return convert(x, "ulong16", sat=True, out=out, where=where, threads=threads)


def convert_ulong16_sat_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", sat=True, rounding="rte")``."""
    return convert(x, "ulong16", sat=True, rounding="rte", out=out, where=where, threads=threads)


def convert_ulong16_sat_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", sat=True, rounding="rtz")``."""
    return convert(x, "ulong16", sat=True, rounding="rtz", out=out, where=where, threads=threads)


def convert_ulong16_sat_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", sat=True, rounding="rtp")``."""
    return convert(x, "ulong16", sat=True, rounding="rtp", out=out, where=where, threads=threads)


def convert_ulong16_sat_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "ulong16", sat=True, rounding="rtn")``."""
    return convert(x, "ulong16", sat=True, rounding="rtn", out=out, where=where, threads=threads)


def convert_half(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half")``."""
    return convert(x, "half", out=out, where=where, threads=threads)


def convert_half_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half", rounding="rte")``."""
    return convert(x, "half", rounding="rte", out=out, where=where, threads=threads)


def convert_half_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half", rounding="rtz")``."""
    return convert(x, "half", rounding="rtz", out=out, where=where, threads=threads)


def convert_half_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half", rounding="rtp")``."""
    return convert(x, "half", rounding="rtp", out=out, where=where, threads=threads)


def convert_half_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half", rounding="rtn")``."""
    return convert(x, "half", rounding="rtn", out=out, where=where, threads=threads)


def convert_half2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half2")``."""
    return convert(x, "half2", out=out, where=where, threads=threads)


def convert_half2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half2", rounding="rte")``."""
    return convert(x, "half2", rounding="rte", out=out, where=where, threads=threads)


def convert_half2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half2", rounding="rtz")``."""
    return convert(x, "half2", rounding="rtz", out=out, where=where, threads=threads)


def convert_half2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half2", rounding="rtp")``."""
    return convert(x, "half2", rounding="rtp", out=out, where=where, threads=threads)


def convert_half2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half2", rounding="rtn")``."""
    return convert(x, "half2", rounding="rtn", out=out, where=where, threads=threads)


def convert_half3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half3")``."""
    return convert(x, "half3", out=out, where=where, threads=threads)


def convert_half3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half3", rounding="rte")``."""
    return convert(x, "half3", rounding="rte", out=out, where=where, threads=threads)


def convert_half3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half3", rounding="rtz")``."""
    return convert(x, "half3", rounding="rtz", out=out, where=where, threads=threads)


def convert_half3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half3", rounding="rtp")``."""
    return convert(x, "half3", rounding="rtp", out=out, where=where, threads=threads)


def convert_half3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half3", rounding="rtn")``."""
    return convert(x, "half3", rounding="rtn", out=out, where=where, threads=threads)


def convert_half4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half4")``."""
    return convert(x, "half4", out=out, where=where, threads=threads)


def convert_half4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half4", rounding="rte")``."""
    return convert(x, "half4", rounding="rte", out=out, where=where, threads=threads)


def convert_half4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half4", rounding="rtz")``."""
    return convert(x, "half4", rounding="rtz", out=out, where=where, threads=threads)


def convert_half4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half4", rounding="rtp")``."""
    return convert(x, "half4", rounding="rtp", out=out, where=where, threads=threads)


def convert_half4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half4", rounding="rtn")``."""
    return convert(x, "half4", rounding="rtn", out=out, where=where, threads=threads)


def convert_half8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half8")``."""
    return convert(x, "half8", out=out, where=where, threads=threads)


def convert_half8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half8", rounding="rte")``."""
    return convert(x, "half8", rounding="rte", out=out, where=where, threads=threads)


def convert_half8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half8", rounding="rtz")``."""
    return convert(x, "half8", rounding="rtz", out=out, where=where, threads=threads)


def convert_half8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half8", rounding="rtp")``."""
    return convert(x, "half8", rounding="rtp", out=out, where=where, threads=threads)


def convert_half8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half8", rounding="rtn")``."""
    return convert(x, "half8", rounding="rtn", out=out, where=where, threads=threads)


def convert_half16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half16")``."""
    return convert(x, "half16", out=out, where=where, threads=threads)


def convert_half16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half16", rounding="rte")``."""
    return convert(x, "half16", rounding="rte", out=out, where=where, threads=threads)


def convert_half16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half16", rounding="rtz")``."""
    return convert(x, "half16", rounding="rtz", out=out, where=where, threads=threads)


def convert_half16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half16", rounding="rtp")``."""
    return convert(x, "half16", rounding="rtp", out=out, where=where, threads=threads)


def convert_half16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "half16", rounding="rtn")``."""
    return convert(x, "half16", rounding="rtn", out=out, where=where, threads=threads)


def convert_float(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float")``."""
    return convert(x, "float", out=out, where=where, threads=threads)


def convert_float_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float", rounding="rte")``."""
    return convert(x, "float", rounding="rte", out=out, where=where, threads=threads)


def convert_float_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float", rounding="rtz")``."""
    return convert(x, "float", rounding="rtz", out=out, where=where, threads=threads)


def convert_float_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float", rounding="rtp")``."""
    return convert(x, "float", rounding="rtp", out=out, where=where, threads=threads)


def convert_float_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float", rounding="rtn")``."""
    return convert(x, "float", rounding="rtn", out=out, where=where, threads=threads)


def convert_float2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float2")``."""
    return convert(x, "float2", out=out, where=where, threads=threads)


def convert_float2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float2", rounding="rte")``."""
    return convert(x, "float2", rounding="rte", out=out, where=where, threads=threads)


def convert_float2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float2", rounding="rtz")``."""
    return convert(x, "float2", rounding="rtz", out=out, where=where, threads=threads)


def convert_float2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float2", rounding="rtp")``."""
    return convert(x, "float2", rounding="rtp", out=out, where=where, threads=threads)


def convert_float2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float2", rounding="rtn")``."""
    return convert(x, "float2", rounding="rtn", out=out, where=where, threads=threads)


def convert_float3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float3")``."""
    return convert(x, "float3", out=out, where=where, threads=threads)


def convert_float3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float3", rounding="rte")``."""
    return convert(x, "float3", rounding="rte", out=out, where=where, threads=threads)


def convert_float3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float3", rounding="rtz")``."""
    return convert(x, "float3", rounding="rtz", out=out, where=where, threads=threads)


def convert_float3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float3", rounding="rtp")``."""
    return convert(x, "float3", rounding="rtp", out=out, where=where, threads=threads)


def convert_float3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float3", rounding="rtn")``."""
    return convert(x, "float3", rounding="rtn", out=out, where=where, threads=threads)


def convert_float4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float4")``."""
    return convert(x, "float4", out=out, where=where, threads=threads)


def convert_float4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float4", rounding="rte")``."""
    return convert(x, "float4", rounding="rte", out=out, where=where, threads=threads)


def convert_float4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float4", rounding="rtz")``."""
    return convert(x, "float4", rounding="rtz", out=out, where=where, threads=threads)


def convert_float4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float4", rounding="rtp")``."""
    return convert(x, "float4", rounding="rtp", out=out, where=where, threads=threads)


def convert_float4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float4", rounding="rtn")``."""
    return convert(x, "float4", rounding="rtn", out=out, where=where, threads=threads)


def convert_float8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float8")``."""
    return convert(x, "float8", out=out, where=where, threads=threads)


def convert_float8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float8", rounding="rte")``."""
    return convert(x, "float8", rounding="rte", out=out, where=where, threads=threads)


def convert_float8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float8", rounding="rtz")``."""
    return convert(x, "float8", rounding="rtz", out=out, where=where, threads=threads)


def convert_float8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float8", rounding="rtp")``."""
    return convert(x, "float8", rounding="rtp", out=out, where=where, threads=threads)


def convert_float8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float8", rounding="rtn")``."""
    return convert(x, "float8", rounding="rtn", out=out, where=where, threads=threads)


def convert_float16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float16")``."""
    return convert(x, "float16", out=out, where=where, threads=threads)


def convert_float16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float16", rounding="rte")``."""
    return convert(x, "float16", rounding="rte", out=out, where=where, threads=threads)


def convert_float16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float16", rounding="rtz")``."""
    return convert(x, "float16", rounding="rtz", out=out, where=where, threads=threads)


def convert_float16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float16", rounding="rtp")``."""
    return convert(x, "float16", rounding="rtp", out=out, where=where, threads=threads)


def convert_float16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "float16", rounding="rtn")``."""
    return convert(x, "float16", rounding="rtn", out=out, where=where, threads=threads)


def convert_double(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double")``."""
    return convert(x, "double", out=out, where=where, threads=threads)


def convert_double_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double", rounding="rte")``."""
    return convert(x, "double", rounding="rte", out=out, where=where, threads=threads)


def convert_double_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double", rounding="rtz")``."""
    return convert(x, "double", rounding="rtz", out=out, where=where, threads=threads)


def convert_double_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double", rounding="rtp")``."""
    return convert(x, "double", rounding="rtp", out=out, where=where, threads=threads)


def convert_double_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double", rounding="rtn")``."""
    return convert(x, "double", rounding="rtn", out=out, where=where, threads=threads)


def convert_double2(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double2")``."""
    return convert(x, "double2", out=out, where=where, threads=threads)


def convert_double2_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double2", rounding="rte")``."""
    return convert(x, "double2", rounding="rte", out=out, where=where, threads=threads)


def convert_double2_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double2", rounding="rtz")``."""
    return convert(x, "double2", rounding="rtz", out=out, where=where, threads=threads)


def convert_double2_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double2", rounding="rtp")``."""
    return convert(x, "double2", rounding="rtp", out=out, where=where, threads=threads)


def convert_double2_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double2", rounding="rtn")``."""
    return convert(x, "double2", rounding="rtn", out=out, where=where, threads=threads)


def convert_double3(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double3")``."""
    return convert(x, "double3", out=out, where=where, threads=threads)


def convert_double3_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double3", rounding="rte")``."""
    return convert(x, "double3", rounding="rte", out=out, where=where, threads=threads)


def convert_double3_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double3", rounding="rtz")``."""
    return convert(x, "double3", rounding="rtz", out=out, where=where, threads=threads)


def convert_double3_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double3", rounding="rtp")``."""
    return convert(x, "double3", rounding="rtp", out=out, where=where, threads=threads)


def convert_double3_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double3", rounding="rtn")``."""
    return convert(x, "double3", rounding="rtn", out=out, where=where, threads=threads)


def convert_double4(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double4")``."""
    return convert(x, "double4", out=out, where=where, threads=threads)


def convert_double4_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double4", rounding="rte")``."""
    return convert(x, "double4", rounding="rte", out=out, where=where, threads=threads)


def convert_double4_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double4", rounding="rtz")``."""
    return convert(x, "double4", rounding="rtz", out=out, where=where, threads=threads)


def convert_double4_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double4", rounding="rtp")``."""
    return convert(x, "double4", rounding="rtp", out=out, where=where, threads=threads)


def convert_double4_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double4", rounding="rtn")``."""
    return convert(x, "double4", rounding="rtn", out=out, where=where, threads=threads)


def convert_double8(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double8")``."""
    return convert(x, "double8", out=out, where=where, threads=threads)


def convert_double8_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double8", rounding="rte")``."""
    return convert(x, "double8", rounding="rte", out=out, where=where, threads=threads)


def convert_double8_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double8", rounding="rtz")``."""
    return convert(x, "double8", rounding="rtz", out=out, where=where, threads=threads)


def convert_double8_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double8", rounding="rtp")``."""
    return convert(x, "double8", rounding="rtp", out=out, where=where, threads=threads)


def convert_double8_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double8", rounding="rtn")``."""
    return convert(x, "double8", rounding="rtn", out=out, where=where, threads=threads)


def convert_double16(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double16")``."""
    return convert(x, "double16", out=out, where=where, threads=threads)


def convert_double16_rte(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double16", rounding="rte")``."""
    return convert(x, "double16", rounding="rte", out=out, where=where, threads=threads)


def convert_double16_rtz(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double16", rounding="rtz")``."""
    return convert(x, "double16", rounding="rtz", out=out, where=where, threads=threads)


def convert_double16_rtp(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double16", rounding="rtp")``."""
    return convert(x, "double16", rounding="rtp", out=out, where=where, threads=threads)


def convert_double16_rtn(x: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``convert(x, "double16", rounding="rtn")``."""
    return convert(x, "double16", rounding="rtn", out=out, where=where, threads=threads)


def as_char(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char")``."""
    return as_type(x, "char", out=out)


def as_char2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char2")``."""
    return as_type(x, "char2", out=out)


def as_char3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char3")``."""
    return as_type(x, "char3", out=out)


def as_char4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char4")``."""
    return as_type(x, "char4", out=out)


def as_char8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char8")``."""
    return as_type(x, "char8", out=out)


def as_char16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "char16")``."""
    return as_type(x, "char16", out=out)


def as_uchar(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar")``."""
    return as_type(x, "uchar", out=out)


def as_uchar2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar2")``."""
    return as_type(x, "uchar2", out=out)


def as_uchar3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar3")``."""
    return as_type(x, "uchar3", out=out)


def as_uchar4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar4")``."""
    return as_type(x, "uchar4", out=out)


def as_uchar8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar8")``."""
    return as_type(x, "uchar8", out=out)


def as_uchar16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uchar16")``."""
    return as_type(x, "uchar16", out=out)


def as_short(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short")``."""
    return as_type(x, "short", out=out)


def as_short2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short2")``."""
    return as_type(x, "short2", out=out)


def as_short3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short3")``."""
    return as_type(x, "short3", out=out)


def as_short4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short4")``."""
    return as_type(x, "short4", out=out)


def as_short8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short8")``."""
    return as_type(x, "short8", out=out)


def as_short16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "short16")``."""
    return as_type(x, "short16", out=out)


def as_ushort(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort")``."""
    return as_type(x, "ushort", out=out)


def as_ushort2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort2")``."""
    return as_type(x, "ushort2", out=out)


def as_ushort3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort3")``."""
    return as_type(x, "ushort3", out=out)


def as_ushort4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort4")``."""
    return as_type(x, "ushort4", out=out)


def as_ushort8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort8")``."""
    return as_type(x, "ushort8", out=out)


def as_ushort16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ushort16")``."""
    return as_type(x, "ushort16", out=out)


def as_int(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int")``."""
    return as_type(x, "int", out=out)


def as_int2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int2")``."""
    return as_type(x, "int2", out=out)


def as_int3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int3")``."""
    return as_type(x, "int3", out=out)


def as_int4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int4")``."""
    return as_type(x, "int4", out=out)


def as_int8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int8")``."""
    return as_type(x, "int8", out=out)


def as_int16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "int16")``."""
    return as_type(x, "int16", out=out)


def as_uint(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint")``."""
    return as_type(x, "uint", out=out)


def as_uint2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint2")``."""
    return as_type(x, "uint2", out=out)


def as_uint3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint3")``."""
    return as_type(x, "uint3", out=out)


def as_uint4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint4")``."""
    return as_type(x, "uint4", out=out)


def as_uint8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint8")``."""
    return as_type(x, "uint8", out=out)


def as_uint16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "uint16")``."""
    return as_type(x, "uint16", out=out)


def as_long(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long")``."""
    return as_type(x, "long", out=out)


def as_long2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long2")``."""
    return as_type(x, "long2", out=out)


def as_long3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long3")``."""
    return as_type(x, "long3", out=out)


def as_long4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long4")``."""
    return as_type(x, "long4", out=out)


def as_long8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long8")``."""
    return as_type(x, "long8", out=out)


def as_long16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "long16")``."""
    return as_type(x, "long16", out=out)


def as_ulong(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong")``."""
    return as_type(x, "ulong", out=out)


def as_ulong2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong2")``."""
    return as_type(x, "ulong2", out=out)


def as_ulong3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong3")``."""
    return as_type(x, "ulong3", out=out)


def as_ulong4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong4")``."""
    return as_type(x, "ulong4", out=out)


def as_ulong8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong8")``."""
    return as_type(x, "ulong8", out=out)


def as_ulong16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "ulong16")``."""
    return as_type(x, "ulong16", out=out)


def as_half(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half")``."""
    return as_type(x, "half", out=out)


def as_half2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half2")``."""
    return as_type(x, "half2", out=out)


def as_half3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half3")``."""
    return as_type(x, "half3", out=out)


def as_half4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half4")``."""
    return as_type(x, "half4", out=out)


def as_half8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half8")``."""
    return as_type(x, "half8", out=out)


def as_half16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "half16")``."""
    return as_type(x, "half16", out=out)


def as_float(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float")``."""
    return as_type(x, "float", out=out)


def as_float2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float2")``."""
    return as_type(x, "float2", out=out)


def as_float3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float3")``."""
    return as_type(x, "float3", out=out)


def as_float4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float4")``."""
    return as_type(x, "float4", out=out)


def as_float8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float8")``."""
    return as_type(x, "float8", out=out)


def as_float16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "float16")``."""
    return as_type(x, "float16", out=out)


def as_double(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double")``."""
    return as_type(x, "double", out=out)


def as_double2(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double2")``."""
    return as_type(x, "double2", out=out)


def as_double3(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double3")``."""
    return as_type(x, "double3", out=out)


def as_double4(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double4")``."""
    return as_type(x, "double4", out=out)


def as_double8(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double8")``."""
    return as_type(x, "double8", out=out)


def as_double16(x: Any, /, *, out: Out = None) -> Any:
    """``as_type(x, "double16")``."""
    return as_type(x, "double16", out=out)


def work_group_reduce_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_reduce(x, "add")``."""
    return work_group_reduce(x, "add", axis=axis, out=out)


def work_group_reduce_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_reduce(x, "min")``."""
    return work_group_reduce(x, "min", axis=axis, out=out)


def work_group_reduce_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_reduce(x, "max")``."""
    return work_group_reduce(x, "max", axis=axis, out=out)


def work_group_scan_exclusive_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_exclusive(x, "add")``."""
    return work_group_scan_exclusive(x, "add", axis=axis, out=out)


def work_group_scan_exclusive_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_exclusive(x, "min")``."""
    return work_group_scan_exclusive(x, "min", axis=axis, out=out)


def work_group_scan_exclusive_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_exclusive(x, "max")``."""
    return work_group_scan_exclusive(x, "max", axis=axis, out=out)


def work_group_scan_inclusive_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_inclusive(x, "add")``."""
    return work_group_scan_inclusive(x, "add", axis=axis, out=out)


def work_group_scan_inclusive_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_inclusive(x, "min")``."""
    return work_group_scan_inclusive(x, "min", axis=axis, out=out)


def work_group_scan_inclusive_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``work_group_scan_inclusive(x, "max")``."""
    return work_group_scan_inclusive(x, "max", axis=axis, out=out)


def sub_group_reduce_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_reduce(x, "add")``."""
    return sub_group_reduce(x, "add", axis=axis, out=out)


def sub_group_reduce_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_reduce(x, "min")``."""
    return sub_group_reduce(x, "min", axis=axis, out=out)


def sub_group_reduce_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_reduce(x, "max")``."""
    return sub_group_reduce(x, "max", axis=axis, out=out)


def sub_group_scan_exclusive_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_exclusive(x, "add")``."""
    return sub_group_scan_exclusive(x, "add", axis=axis, out=out)


def sub_group_scan_exclusive_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_exclusive(x, "min")``."""
    return sub_group_scan_exclusive(x, "min", axis=axis, out=out)


def sub_group_scan_exclusive_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_exclusive(x, "max")``."""
    return sub_group_scan_exclusive(x, "max", axis=axis, out=out)


def sub_group_scan_inclusive_add(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_inclusive(x, "add")``."""
    return sub_group_scan_inclusive(x, "add", axis=axis, out=out)


def sub_group_scan_inclusive_min(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_inclusive(x, "min")``."""
    return sub_group_scan_inclusive(x, "min", axis=axis, out=out)


def sub_group_scan_inclusive_max(x: Any, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
    """``sub_group_scan_inclusive(x, "max")``."""
    return sub_group_scan_inclusive(x, "max", axis=axis, out=out)


def vload2(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload(offset, p, 2)``."""
    return vload(offset, p, 2, out=out, where=where, threads=threads)


def vstore2(data: Any, offset: Any, p: Any, /, *, where: Where = True) -> None:
    """``vstore(data, offset, p, 2)``."""
    vstore(data, offset, p, 2, where=where)


def vload_half2(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload_half(offset, p, 2)``."""
    return vload_half(offset, p, 2, out=out, where=where, threads=threads)


def vloada_half2(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vloada_half(offset, p, 2)``."""
    return vloada_half(offset, p, 2, out=out, where=where, threads=threads)


def vload3(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload(offset, p, 3)``."""
    return vload(offset, p, 3, out=out, where=where, threads=threads)


def vstore3(data: Any, offset: Any, p: Any, /, *, where: Where = True) -> None:
    """``vstore(data, offset, p, 3)``."""
    vstore(data, offset, p, 3, where=where)


def vload_half3(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload_half(offset, p, 3)``."""
    return vload_half(offset, p, 3, out=out, where=where, threads=threads)


def vloada_half3(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vloada_half(offset, p, 3)``."""
    return vloada_half(offset, p, 3, out=out, where=where, threads=threads)


def vload4(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload(offset, p, 4)``."""
    return vload(offset, p, 4, out=out, where=where, threads=threads)


def vstore4(data: Any, offset: Any, p: Any, /, *, where: Where = True) -> None:
    """``vstore(data, offset, p, 4)``."""
    vstore(data, offset, p, 4, where=where)


def vload_half4(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload_half(offset, p, 4)``."""
    return vload_half(offset, p, 4, out=out, where=where, threads=threads)


def vloada_half4(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vloada_half(offset, p, 4)``."""
    return vloada_half(offset, p, 4, out=out, where=where, threads=threads)


def vload8(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload(offset, p, 8)``."""
    return vload(offset, p, 8, out=out, where=where, threads=threads)


def vstore8(data: Any, offset: Any, p: Any, /, *, where: Where = True) -> None:
    """``vstore(data, offset, p, 8)``."""
    vstore(data, offset, p, 8, where=where)


def vload_half8(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload_half(offset, p, 8)``."""
    return vload_half(offset, p, 8, out=out, where=where, threads=threads)


def vloada_half8(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vloada_half(offset, p, 8)``."""
    return vloada_half(offset, p, 8, out=out, where=where, threads=threads)


def vload16(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload(offset, p, 16)``."""
    return vload(offset, p, 16, out=out, where=where, threads=threads)


def vstore16(data: Any, offset: Any, p: Any, /, *, where: Where = True) -> None:
    """``vstore(data, offset, p, 16)``."""
    vstore(data, offset, p, 16, where=where)


def vload_half16(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vload_half(offset, p, 16)``."""
    return vload_half(offset, p, 16, out=out, where=where, threads=threads)


def vloada_half16(offset: Any, p: Any, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
    """``vloada_half(offset, p, 16)``."""
    return vloada_half(offset, p, 16, out=out, where=where, threads=threads)


def vstore_half_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, rounding="rte")``."""
    vstore_half(data, offset, p, rounding="rte", where=where, threads=threads)


def vstore_half_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, rounding="rtz")``."""
    vstore_half(data, offset, p, rounding="rtz", where=where, threads=threads)


def vstore_half_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, rounding="rtp")``."""
    vstore_half(data, offset, p, rounding="rtp", where=where, threads=threads)


def vstore_half_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, rounding="rtn")``."""
    vstore_half(data, offset, p, rounding="rtn", where=where, threads=threads)


def vstore_half2(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 2)``."""
    vstore_half(data, offset, p, 2, where=where, threads=threads)


def vstore_half2_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 2, rounding="rte")``."""
    vstore_half(data, offset, p, 2, rounding="rte", where=where, threads=threads)


def vstore_half2_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 2, rounding="rtz")``."""
    vstore_half(data, offset, p, 2, rounding="rtz", where=where, threads=threads)


def vstore_half2_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 2, rounding="rtp")``."""
    vstore_half(data, offset, p, 2, rounding="rtp", where=where, threads=threads)


def vstore_half2_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 2, rounding="rtn")``."""
    vstore_half(data, offset, p, 2, rounding="rtn", where=where, threads=threads)


def vstore_half3(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 3)``."""
    vstore_half(data, offset, p, 3, where=where, threads=threads)


def vstore_half3_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 3, rounding="rte")``."""
    vstore_half(data, offset, p, 3, rounding="rte", where=where, threads=threads)


def vstore_half3_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 3, rounding="rtz")``."""
    vstore_half(data, offset, p, 3, rounding="rtz", where=where, threads=threads)


def vstore_half3_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 3, rounding="rtp")``."""
    vstore_half(data, offset, p, 3, rounding="rtp", where=where, threads=threads)


def vstore_half3_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 3, rounding="rtn")``."""
    vstore_half(data, offset, p, 3, rounding="rtn", where=where, threads=threads)


def vstore_half4(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 4)``."""
    vstore_half(data, offset, p, 4, where=where, threads=threads)


def vstore_half4_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 4, rounding="rte")``."""
    vstore_half(data, offset, p, 4, rounding="rte", where=where, threads=threads)


def vstore_half4_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 4, rounding="rtz")``."""
    vstore_half(data, offset, p, 4, rounding="rtz", where=where, threads=threads)


def vstore_half4_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 4, rounding="rtp")``."""
    vstore_half(data, offset, p, 4, rounding="rtp", where=where, threads=threads)


def vstore_half4_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 4, rounding="rtn")``."""
    vstore_half(data, offset, p, 4, rounding="rtn", where=where, threads=threads)


def vstore_half8(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 8)``."""
    vstore_half(data, offset, p, 8, where=where, threads=threads)


def vstore_half8_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 8, rounding="rte")``."""
    vstore_half(data, offset, p, 8, rounding="rte", where=where, threads=threads)


def vstore_half8_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 8, rounding="rtz")``."""
    vstore_half(data, offset, p, 8, rounding="rtz", where=where, threads=threads)


def vstore_half8_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 8, rounding="rtp")``."""
    vstore_half(data, offset, p, 8, rounding="rtp", where=where, threads=threads)


def vstore_half8_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 8, rounding="rtn")``."""
    vstore_half(data, offset, p, 8, rounding="rtn", where=where, threads=threads)


def vstore_half16(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 16)``."""
    vstore_half(data, offset, p, 16, where=where, threads=threads)


def vstore_half16_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 16, rounding="rte")``."""
    vstore_half(data, offset, p, 16, rounding="rte", where=where, threads=threads)


def vstore_half16_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 16, rounding="rtz")``."""
    vstore_half(data, offset, p, 16, rounding="rtz", where=where, threads=threads)


def vstore_half16_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 16, rounding="rtp")``."""
    vstore_half(data, offset, p, 16, rounding="rtp", where=where, threads=threads)


def vstore_half16_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstore_half(data, offset, p, 16, rounding="rtn")``."""
    vstore_half(data, offset, p, 16, rounding="rtn", where=where, threads=threads)


def vstorea_half2(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 2)``."""
    vstorea_half(data, offset, p, 2, where=where, threads=threads)


def vstorea_half2_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 2, rounding="rte")``."""
    vstorea_half(data, offset, p, 2, rounding="rte", where=where, threads=threads)


def vstorea_half2_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 2, rounding="rtz")``."""
    vstorea_half(data, offset, p, 2, rounding="rtz", where=where, threads=threads)


def vstorea_half2_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 2, rounding="rtp")``."""
    vstorea_half(data, offset, p, 2, rounding="rtp", where=where, threads=threads)


def vstorea_half2_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 2, rounding="rtn")``."""
    vstorea_half(data, offset, p, 2, rounding="rtn", where=where, threads=threads)


def vstorea_half3(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 3)``."""
    vstorea_half(data, offset, p, 3, where=where, threads=threads)


def vstorea_half3_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 3, rounding="rte")``."""
    vstorea_half(data, offset, p, 3, rounding="rte", where=where, threads=threads)


def vstorea_half3_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 3, rounding="rtz")``."""
    vstorea_half(data, offset, p, 3, rounding="rtz", where=where, threads=threads)


def vstorea_half3_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 3, rounding="rtp")``."""
    vstorea_half(data, offset, p, 3, rounding="rtp", where=where, threads=threads)


def vstorea_half3_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 3, rounding="rtn")``."""
    vstorea_half(data, offset, p, 3, rounding="rtn", where=where, threads=threads)


def vstorea_half4(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 4)``."""
    vstorea_half(data, offset, p, 4, where=where, threads=threads)


def vstorea_half4_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 4, rounding="rte")``."""
    vstorea_half(data, offset, p, 4, rounding="rte", where=where, threads=threads)


def vstorea_half4_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 4, rounding="rtz")``."""
    vstorea_half(data, offset, p, 4, rounding="rtz", where=where, threads=threads)


def vstorea_half4_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 4, rounding="rtp")``."""
    vstorea_half(data, offset, p, 4, rounding="rtp", where=where, threads=threads)


def vstorea_half4_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 4, rounding="rtn")``."""
    vstorea_half(data, offset, p, 4, rounding="rtn", where=where, threads=threads)


def vstorea_half8(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 8)``."""
    vstorea_half(data, offset, p, 8, where=where, threads=threads)


def vstorea_half8_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 8, rounding="rte")``."""
    vstorea_half(data, offset, p, 8, rounding="rte", where=where, threads=threads)


def vstorea_half8_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 8, rounding="rtz")``."""
    vstorea_half(data, offset, p, 8, rounding="rtz", where=where, threads=threads)


def vstorea_half8_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 8, rounding="rtp")``."""
    vstorea_half(data, offset, p, 8, rounding="rtp", where=where, threads=threads)


def vstorea_half8_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 8, rounding="rtn")``."""
    vstorea_half(data, offset, p, 8, rounding="rtn", where=where, threads=threads)


def vstorea_half16(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 16)``."""
    vstorea_half(data, offset, p, 16, where=where, threads=threads)


def vstorea_half16_rte(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 16, rounding="rte")``."""
    vstorea_half(data, offset, p, 16, rounding="rte", where=where, threads=threads)


def vstorea_half16_rtz(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 16, rounding="rtz")``."""
    vstorea_half(data, offset, p, 16, rounding="rtz", where=where, threads=threads)


def vstorea_half16_rtp(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 16, rounding="rtp")``."""
    vstorea_half(data, offset, p, 16, rounding="rtp", where=where, threads=threads)


def vstorea_half16_rtn(data: Any, offset: Any, p: Any, /, *, where: Where = True, threads: int = 1) -> None:
    """``vstorea_half(data, offset, p, 16, rounding="rtn")``."""
    vstorea_half(data, offset, p, 16, rounding="rtn", where=where, threads=threads)
