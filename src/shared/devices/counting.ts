// What counts of devices, without schemas: the threads that count devices load this file and no zod.

/**
 * Stands for all versions, platforms or architectures that are counted together, in place of the
 * version, platform or architecture. No valid version or token equals it.
 */
export const OTHER = '*'

/** Most labels that a device can hold. */
export const MAX_LABELS = 64

/** Facts of a device that an expression may use beside its labels. */
export const DEVICE_KEYS = [
  'device.id',
  'device.version',
  'device.platform',
  'device.arch',
] as const

/** Maximum values of a failed condition that are named. */
export const MAX_NAMED_VALUES = 5
