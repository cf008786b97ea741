import { X509Certificate } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { whileHeldSync } from '../../../shared/basics/held-file.ts'

const DAY = 86_400_000
/** Days that a certificate is valid: more than 825 are refused by Apple's systems, even from one's own issuer. */
const VALID_DAYS = 820
/** Days before its end from which a certificate is renewed: earlier than any warning about it. */
const RENEWAL_DAYS = 30
/** Certificate and key are one file, so that they are replaced together. */
const FILE = 'server.self-signed.pem'

export interface SelfSigned {
  /** The certificate and its private key, in PEM. */
  readonly file: string
  /** SHA-256 of the certificate, as `AB:CD:…`. */
  readonly fingerprint: string
}

/**
 * Returns the self-signed certificate in a data folder, for this computer and for `names`. Makes it if there is none,
 * if it ends within 30 days, or if it lacks a name. A changed network address is no reason: a new certificate has a new
 * fingerprint, which people and the desktop app compare. `now`: Unix time in milliseconds. Throws `StorageError` when
 * the folder cannot be used.
 */
export async function keepSelfSigned(
  dataFolder: string,
  names: readonly string[],
  now = Date.now(),
): Promise<SelfSigned> {
  const { createFolder } = await import('../../storage/open-storage.ts')
  createFolder(dataFolder)
  const file = join(dataFolder, FILE)
  const wanted = ['localhost', hostname().toLowerCase(), ...names]
  const kept = read(file)
  if (kept !== undefined && holds(kept, wanted, now)) {
    return { file, fingerprint: kept.fingerprint256 }
  }
  const made = await make(wanted, now)
  replace(file, `${made.cert}\n${made.key}\n`)
  return { file, fingerprint: new X509Certificate(made.cert).fingerprint256 }
}

function read(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file))
  } catch {
    // Missing or damaged: a new one is made.
    return undefined
  }
}

function holds(kept: X509Certificate, names: readonly string[], now: number): boolean {
  const isLasting = Date.parse(kept.validTo) - now > RENEWAL_DAYS * DAY
  return isLasting && names.every((name) => covers(kept, name))
}

function covers(kept: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? kept.checkHost(name) : kept.checkIP(name)) !== undefined
}

async function make(names: readonly string[], now: number) {
  const { generate } = await import('selfsigned')
  const addresses = Object.values(networkInterfaces())
    .flatMap((found = []) => found)
    // Addresses of one link have no meaning in a certificate.
    .filter(({ scopeid = 0 }) => scopeid === 0)
    .map(({ address }) => address)
  const all = [...new Set([...names, '127.0.0.1', '::1', ...addresses])]
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Tidegate' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // Clocks of browsers differ a little.
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + VALID_DAYS * DAY),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: all.map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  })
  return { cert, key }
}

/** Writes a file for this account only, in one step. */
function replace(file: string, content: string): void {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  writeFileSync(partial, content, { mode: 0o600, flag: 'wx', flush: true })
  whileHeldSync(process.platform, () => renameSync(partial, file))
}

/** Hears what became of a certificate that was due. */
export interface RenewalListener {
  onRenewed(fingerprint: string): void
  onFailure(error: unknown): void
}

/** Looks once a day whether the certificate is due, and renews it. Returns what ends that. Nothing without a first one. */
export function renewSelfSigned(
  dataFolder: string,
  names: readonly string[],
  first: SelfSigned | undefined,
  listener: RenewalListener,
): () => void {
  if (first === undefined) return () => {}
  let { fingerprint } = first
  const look = async () => {
    const kept = await keepSelfSigned(dataFolder, names)
    if (kept.fingerprint !== fingerprint) listener.onRenewed(kept.fingerprint)
    fingerprint = kept.fingerprint
  }
  const timer = setInterval(() => void look().catch(listener.onFailure), DAY).unref()
  return () => clearInterval(timer)
}
