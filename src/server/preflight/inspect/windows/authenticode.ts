import { ContentInfo, id_signedData, SignedData, type SignerIdentifier } from '@peculiar/asn1-cms'
import { AsnConvert, AsnSerializer } from '@peculiar/asn1-schema'
import type { Certificate } from '@peculiar/asn1-x509'
import { damaged, notRead, orDamaged, Unread } from '../budget.ts'
import type { AuthenticodeFact } from '../facts.ts'
import { partOf } from '../source.ts'
import { windowsName } from './distinguished-name.ts'
import type { Pe } from './pe.ts'
import { isIntact } from './signed-digest.ts'

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
