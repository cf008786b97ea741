/** A SHA-512 in each of the two spellings that are taken. */
export const SHA512_HEX = 'ab'.repeat(64)
export const SHA512_BASE64 = Buffer.alloc(64, 0xab).toString('base64')

/** An artifact as a publisher sends it, for darwin on aarch64. */
export function artifact(members: Readonly<Record<string, unknown>> = {}) {
  const url = 'https://downloads.example/editor.tar.gz'
  return { platform: 'darwin', arch: 'aarch64', url, sha512: SHA512_HEX, ...members }
}

/** An artifact for that platform and arch, with an address of its own. */
export function artifactFor(platform: string, arch: string) {
  return artifact({ platform, arch, url: `https://downloads.example/${platform}/${arch}` })
}

/** The body of a publish call to `editor/stable`, with one artifact. */
export function publishBody(version: string, members: Readonly<Record<string, unknown>> = {}) {
  return { app: 'editor', channel: 'stable', version, artifacts: [artifact()], ...members }
}
