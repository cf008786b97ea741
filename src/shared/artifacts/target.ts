interface Target {
  readonly platform: string
  readonly arch: string
  readonly kind?: string | undefined
}

/** Returns what an artifact is for, such as `linux x86_64 deb`; the kind only if it is given. */
export function artifactTarget({ platform, arch, kind = '' }: Target): string {
  return [platform, arch, kind].filter((part) => part !== '').join(' ')
}
