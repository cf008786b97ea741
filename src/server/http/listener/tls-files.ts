import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../../../shared/basics/message-of.ts'
import {
  type CertificateIssue,
  type CertificateState,
  expiryOf,
} from '../../../shared/operation/certificate.ts'

/** Milliseconds between checks of the files. */
const LOOK = 2_000
/** Milliseconds between two log lines about an expiring certificate. */
const DAY = 86_400_000
const MISMATCH = 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
/** Maximum bytes of a file: far more than any certificate chain has. */
const LARGEST = 1_048_576

/** A certificate chain and its key, in PEM. */
export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

export interface TlsFilesOptions {
  readonly certFile: string
  readonly keyFile: string
  /** A new pair was loaded and must be used for new connections. */
  readonly onLoaded: (pair: Tls, expiresAt: string) => void
  /** The files changed but cannot be used; the loaded pair stays in use. */
  readonly onRefused: (error: unknown) => void
  /** Called at most once a day, from 21 days before the certificate expires. */
  readonly onExpiry: (expiresAt: string, expiry: 'expiring' | 'expired') => void
  /** Unix time in milliseconds. */
  readonly clock?: () => number
  /** Milliseconds between checks, 2 s by default. */
  readonly every?: number
}

/** Why a pair cannot be used; see the cause for details. */
class PairError extends Error {
  override readonly name = 'PairError'
  readonly issue: CertificateIssue

  constructor(issue: CertificateIssue, cause: unknown) {
    super(messageOf(cause), { cause })
    this.issue = issue
  }
}

/**
 * The certificate and key of a server, reloaded whenever they change. A pair is used only if the key
 * belongs to the certificate: when the two files are replaced one after the other, the mixed pair in
 * between is not used.
 */
export class TlsFiles {
  readonly #options: TlsFilesOptions
  readonly #clock: () => number
  #expiresAt = ''
  #refused: CertificateState['refused'] = null
  /** Fingerprints of the files that were last tried, and of those seen at the last check. */
  #tried = ''
  #seen = ''
  #noticedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #loading: Promise<void> = Promise.resolve()

  constructor(options: TlsFilesOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
  }

  get state(): CertificateState {
    return { expiresAt: this.#expiresAt, refused: this.#refused }
  }

  /** Loads the initial pair. Rejects with the error of the file system or of OpenSSL. */
  async open(): Promise<Tls> {
    this.#tried = this.#seen = await this.#signature()
    const { pair, expiresAt } = await this.#read().catch((error: unknown) => {
      throw error instanceof PairError ? error.cause : error
    })
    this.#expiresAt = expiresAt
    return pair
  }

  /** Checks the files every two seconds from now on. */
  watch(): void {
    this.#noticeExpiry()
    this.#next()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Reloads the files, changed or not. Never rejects. */
  reload(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#load())
    return this.#loading
  }

  #next(): void {
    if (this.#stopped) return
    const { every = LOOK } = this.#options
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#next()), every).unref()
  }

  /** Files that changed since the last check may still be being written: they are read once unchanged. */
  async #look(): Promise<void> {
    this.#noticeExpiry()
    const signature = await this.#signature()
    const isSteady = signature === this.#seen
    this.#seen = signature
    if (isSteady && signature !== this.#tried) await this.reload()
  }

  async #load(): Promise<void> {
    this.#tried = await this.#signature()
    try {
      const { pair, expiresAt } = await this.#read()
      if (this.#stopped) return
      this.#options.onLoaded(pair, expiresAt)
      this.#expiresAt = expiresAt
      this.#refused = null
      this.#noticedAt = Number.NEGATIVE_INFINITY
      this.#noticeExpiry()
    } catch (error) {
      const issue = error instanceof PairError ? error.issue : 'invalid'
      this.#refused = { issue, since: new Date(this.#clock()).toISOString() }
      this.#options.onRefused(error)
    }
  }

  #noticeExpiry(): void {
    const now = this.#clock()
    const expiry = expiryOf(this.#expiresAt, now)
    if (expiry === 'ok' || now - this.#noticedAt < DAY) return
    this.#noticedAt = now
    this.#options.onExpiry(this.#expiresAt, expiry)
  }

  async #read(): Promise<{ pair: Tls; expiresAt: string }> {
    const { certFile, keyFile } = this.#options
    const pair = { cert: await readPem(certFile), key: await readPem(keyFile) }
    try {
      createSecureContext(pair)
      const { validTo } = new X509Certificate(pair.cert)
      return { pair, expiresAt: new Date(validTo).toISOString() }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      throw new PairError(code === MISMATCH ? 'mismatch' : 'invalid', error)
    }
  }

  /** Differs if one of the files does. Follows links, because tools use them to switch certificates. */
  async #signature(): Promise<string> {
    const { certFile, keyFile } = this.#options
    const parts = await Promise.all(
      [certFile, keyFile].map((file) =>
        stat(file, { bigint: true }).then(
          ({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(),
          (error: unknown) => String(error),
        ),
      ),
    )
    return parts.join(' ')
  }
}

/** Rejects what is not a regular file: a pipe would block, and a device would never end. */
async function readPem(file: string): Promise<Buffer> {
  try {
    const found = await stat(file)
    if (!found.isFile() || found.size > LARGEST) {
      const reason = new Error(`${file} is not a file of at most 1 MiB`)
      throw Object.assign(reason, { path: file })
    }
    return await readFile(file)
  } catch (error) {
    throw new PairError('unreadable', error)
  }
}
