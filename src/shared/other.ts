/**
 * Stands for all versions, platforms or architectures that are counted together, in place of the
 * version, platform or architecture. No valid version or token equals it.
 */
export const OTHER = '*'
