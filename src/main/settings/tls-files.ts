import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { TlsFiles, TlsReport } from '../../shared/console/settings.ts'
import { readBounded, UnreadableFile } from './read-bounded.ts'

type Issue = Extract<TlsReport, { ok: false }>

/** Bytes: far more than any chain of certificates has. */
const LARGEST = 1_048_576

/** Reads a certificate and its key as a server would, and says which of them is wrong. */
export async function checkTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsReport> {
  const cert = await read('certFile', certFile)
  if (!Buffer.isBuffer(cert)) return cert
  const key = await read('keyFile', keyFile)
  if (!Buffer.isBuffer(key)) return key
  const certificate = attempt(() => new X509Certificate(cert))
  if (certificate === undefined || !cert.includes('-----BEGIN CERTIFICATE-----')) {
    return issue('certFile', 'is not a certificate in PEM. Choose a file with BEGIN CERTIFICATE.')
  }
  const privateKey = attempt(() => createPrivateKey(key))
  if (privateKey === undefined) {
    const fix = 'Choose a file with BEGIN PRIVATE KEY that has no password.'
    return issue('keyFile', `is not a private key in PEM. ${fix}`)
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    return issue('keyFile', 'does not belong to the certificate. Choose the key it was made with.')
  }
  const refused = attempt(() => createSecureContext({ cert, key })) === undefined
  if (refused) return issue('certFile', 'cannot be used for TLS. Make one with a stronger key.')
  return {
    ok: true,
    names: namesOf(certificate),
    issuer: commonName(certificate.issuer),
    selfSigned: certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey),
    validFrom: new Date(certificate.validFrom).toISOString(),
    expiresAt: new Date(certificate.validTo).toISOString(),
  }
}

async function read(field: Issue['field'], file: string): Promise<Buffer | Issue> {
  try {
    return await readBounded(file, LARGEST)
  } catch (error) {
    if (error instanceof UnreadableFile) return issue(field, `${error.message} Choose a PEM file.`)
    const reason = error instanceof Error ? error.message : String(error)
    return issue(field, `cannot be read (${reason}). Check the path and who may read it.`)
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function issue(field: Issue['field'], message: string): Issue {
  return { ok: false, field, message }
}

function namesOf({ subject, subjectAltName }: X509Certificate): string[] {
  if (subjectAltName === undefined) return [commonName(subject)]
  return subjectAltName.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
}

function commonName(distinguished: string | undefined): string {
  return /^CN=(.+)$/m.exec(distinguished ?? '')?.[1] ?? distinguished ?? ''
}
