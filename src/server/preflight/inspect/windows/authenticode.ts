import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { ContentInfo, id_signedData, SignedData, type SignerIdentifier } from '@peculiar/asn1-cms'
import { AsnConvert, AsnSerializer } from '@peculiar/asn1-schema'
import type { Certificate, Name } from '@peculiar/asn1-x509'
import { damaged, notRead, orDamaged, Unread } from '../budget.ts'
import type { AuthenticodeFact } from '../facts.ts'
import { partOf } from '../source.ts'
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
async function isIntact(
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

/** The short names that Windows gives to attributes; others are written as `OID.1.2.3`. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'SERIALNUMBER'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'S'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'T'],
  ['2.5.4.42', 'G'],
  ['1.2.840.113549.1.9.1', 'E'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
])

/** Returns a name as .NET writes the subject of a certificate, which electron-updater reads: the last part first. */
function windowsName(name: Name): string {
  const parts = [...name].toReversed().map((relative) => {
    const attributes = [...relative].map(({ type, value }) => {
      return `${NAMES.get(type) ?? `OID.${type}`}=${quoted(value.toString())}`
    })
    return attributes.join(' + ')
  })
  return parts.join(', ')
}

function quoted(value: string): string {
  const isPlain = value === value.trim() && value !== '' && !/[,+="\n<>#;]/.test(value)
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`
}

const PKCS_SIGNED_DATA = 2
/** A signature has a few certificates, and time stamps. */
const MAX_SIZE = 4 * 1_024 * 1_024

/** The first signature of a program, which is the one that Windows shows. */
interface Authenticode {
  readonly signer: AuthenticodeFact
  /** Reads the entire program, see `isIntact`. */
  verify(): Promise<boolean | undefined>
}

/** Returns who signed a program; null if nobody did. */
export async function readAuthenticode(pe: Pe): Promise<Authenticode | null> {
  if (pe.certificates === undefined) return null
  const table = partOf(pe.source, pe.certificates.offset, pe.certificates.size)
  const header = await table.read(0, 8)
  const size = header.readUInt32LE(0) - 8
  if (size > MAX_SIZE) throw new Unread({ code: 'over_limit', limit: 'bytes' })
  if (header.readUInt16LE(6) !== PKCS_SIGNED_DATA) throw notRead('certificate_type')
  const bytes = await table.read(8, size)
  const { signed, certificate, fact } = orDamaged(() => signatureIn(bytes))
  return { signer: fact, verify: () => isIntact(pe, signed, certificate) }
}

/** Returns the certificate of the first signer of PKCS #7 data. Throws `Unread` if it is not in it. */
export function signerOf(bytes: Buffer): AuthenticodeFact {
  return orDamaged(() => signatureIn(bytes)).fact
}

function signatureIn(bytes: Buffer) {
  const content = AsnConvert.parse(bytes, ContentInfo)
  if (content.contentType !== id_signedData) throw damaged()
  const signed = AsnConvert.parse(content.content, SignedData)
  const [signer] = signed.signerInfos
  const certificates = (signed.certificates ?? []).flatMap((each) => each.certificate ?? [])
  const certificate = signer && certificates.find((each) => isOf(each, signer.sid))
  if (certificate === undefined) throw damaged()
  return { signed, certificate, fact: { subject: windowsName(certificate.tbsCertificate.subject) } }
}

function isOf({ tbsCertificate }: Certificate, signer: SignerIdentifier): boolean {
  const id = signer.issuerAndSerialNumber
  if (id === undefined) return false
  const serials = [tbsCertificate.serialNumber, id.serialNumber]
  const issuers = [tbsCertificate.issuer, id.issuer].map((name) => AsnSerializer.serialize(name))
  return areSame(serials) && areSame(issuers)
}

function areSame([one, other]: readonly ArrayBuffer[]): boolean {
  return one !== undefined && other !== undefined && Buffer.from(one).equals(Buffer.from(other))
}
