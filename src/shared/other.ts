/**
 * Stands for every version, platform or architecture that is not counted by itself, in place of the
 * version, platform or architecture. No version and no token can read like this.
 */
export const OTHER = '*'
