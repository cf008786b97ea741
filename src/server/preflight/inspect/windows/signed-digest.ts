import { createHash, createVerify, X509Certificate } from 'node:crypto'
import type { SignedData } from '@peculiar/asn1-cms'
import { AsnSerializer } from '@peculiar/asn1-schema'
import type { Certificate } from '@peculiar/asn1-x509'
import { orDamaged } from '../budget.ts'
import type { Pe } from './pe.ts'

/** By their object identifiers. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])
/** RSA with padding of PKCS #1, alone and with a digest, and ECDSA. */
const SIGNATURES = /^1\.2\.840\.(113549\.1\.1\.(1|5|11|12|13)|10045\.(2\.1|4\.(1|3\.[2-4])))$/
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SET = 0x31
const PIECE = 1_024 * 1_024

/**
 * Returns whether a program is what its first signature was made of ("Windows Authenticode Portable Executable Signature
 * Format"): the digest of the file is the signed one, and the signature is by the key of the certificate. Undefined for
 * algorithms that are not known. Reads the entire file. Does not verify who issued the certificate.
 */
export async function isIntact(
  pe: Pe,
  { signerInfos: [signer], encapContentInfo: { eContent } }: SignedData,
  certificate: Certificate,
): Promise<boolean | undefined> {
  const name = signer && DIGESTS.get(signer.digestAlgorithm.algorithm)
  const { signedAttrs: attributes = [], signature } = signer ?? {}
  const signed = eContent?.any
  const isKnown = SIGNATURES.test(signer?.signatureAlgorithm.algorithm ?? '')
  if (name === undefined || signed === undefined || !isKnown) return undefined
  const content = Buffer.from(signed)
  const digest = await digestOf(pe, name)
  // The digest of the file is the last member of what is signed.
  if (!content.subarray(-digest.length).equals(digest)) return false
  const named = attributes.find(({ attrType }) => attrType === MESSAGE_DIGEST)?.attrValues[0]
  const ofContent = createHash(name).update(withoutHeader(content)).digest()
  if (named === undefined || !withoutHeader(Buffer.from(named)).equals(ofContent)) return false
  return orDamaged(() => {
    const members = attributes.map((each) => Buffer.from(AsnSerializer.serialize(each)))
    const { publicKey } = new X509Certificate(Buffer.from(AsnSerializer.serialize(certificate)))
    const bytes = Buffer.from(signature?.buffer ?? new ArrayBuffer(0))
    // As they stand, and in the order of DER, which others sign.
    return [members, members.toSorted(Buffer.compare)].some((each) =>
      createVerify(name).update(setOf(each)).verify(publicKey, bytes),
    )
  })
}

function setOf(members: readonly Buffer[]): Buffer {
  const content = Buffer.concat(members)
  const length = content.length.toString(16)
  const digits = Buffer.from(length.padStart(length.length + (length.length % 2), '0'), 'hex')
  const header = content.length < 0x80 ? digits : [0x80 + digits.length, ...digits]
  return Buffer.concat([Buffer.from([SET, ...header]), content])
}

/** The value of a DER element. */
function withoutHeader(element: Buffer): Buffer {
  const length = element[1] ?? 0
  return element.subarray(length < 0x80 ? 2 : 2 + (length & 0x7f))
}

/** The digest of all but the checksum, the entry of the certificate table, and that table. */
async function digestOf({ source, checksum, certificates }: Pe, name: string): Promise<Buffer> {
  const { entry = source.size, offset = source.size, size = 0 } = certificates ?? {}
  const hash = createHash(name)
  const ranges = [
    [0, checksum],
    [checksum + 4, entry],
    [entry + 8, offset],
    [offset + size, source.size],
  ] as const
  for (const [from, to] of ranges) {
    for (let at = from; at < to; at += PIECE) {
      hash.update(await source.read(at, Math.min(PIECE, to - at)))
    }
  }
  return hash.digest()
}
