import { createPrivateKey, X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../../shared/basics/message-of.ts'
import type { PathIssue, TlsReport } from '../../shared/console/settings/setting-issue.ts'
import type { TlsFiles } from '../../shared/console/settings/settings.ts'

/** A file was not read because of what it is. */
class UnreadableFile extends Error {
  readonly issue: PathIssue

  constructor(issue: PathIssue) {
    super(issue.code)
    this.issue = issue
  }
}

/**
 * Reads a regular file of at most `most` bytes. Rejects with `UnreadableFile` for a larger file, and for
 * a pipe or a device, which may block or never end; otherwise with the file system's error.
 */
async function readBounded(file: string, most: number): Promise<Buffer> {
  // Checked before opening, because merely opening some devices has effects.
  if (!(await stat(file)).isFile()) throw new UnreadableFile({ code: 'not_a_file' })
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await handle.stat()).isFile()) throw new UnreadableFile({ code: 'not_a_file' })
    const content = Buffer.alloc(most + 1)
    let length = 0
    while (length < content.length) {
      const { bytesRead } = await handle.read(content, length)
      if (bytesRead === 0) return content.subarray(0, length)
      length += bytesRead
    }
    throw new UnreadableFile({ code: 'too_large', maxBytes: most })
  } finally {
    await handle.close()
  }
}

type Issue = Extract<TlsReport, { ok: false }>

/** Bytes: far more than any chain of certificates has. */
const LARGEST = 1_048_576

/** Reads a certificate and its key as a server would, and returns which of them is invalid. */
export async function checkTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsReport> {
  const cert = await read('certFile', certFile)
  if (!Buffer.isBuffer(cert)) return cert
  const key = await read('keyFile', keyFile)
  if (!Buffer.isBuffer(key)) return key
  const certificate = attempt(() => new X509Certificate(cert))
  if (certificate === undefined || !cert.includes('-----BEGIN CERTIFICATE-----')) {
    return issue('certFile', { code: 'not_a_certificate' })
  }
  const privateKey = attempt(() => createPrivateKey(key))
  if (privateKey === undefined) return issue('keyFile', { code: 'not_a_key' })
  if (!certificate.checkPrivateKey(privateKey)) {
    return issue('keyFile', { code: 'other_key' })
  }
  const refused = attempt(() => createSecureContext({ cert, key })) === undefined
  if (refused) return issue('certFile', { code: 'weak_certificate' })
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
    if (error instanceof UnreadableFile) return issue(field, error.issue)
    const detail = messageOf(error)
    return issue(field, { code: 'unreadable', detail })
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function issue(field: Issue['field'], found: PathIssue): Issue {
  return { ok: false, field, issue: found }
}

function namesOf({ subject, subjectAltName }: X509Certificate): string[] {
  if (subjectAltName === undefined) return [commonName(subject)]
  return subjectAltName.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
}

function commonName(distinguished: string | undefined): string {
  return /^CN=(.+)$/m.exec(distinguished ?? '')?.[1] ?? distinguished ?? ''
}
