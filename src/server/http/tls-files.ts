import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { type CertificateFault, type CertificateState, expiryOf } from '../../shared/certificate.ts'

/** Milliseconds between checks of the files. */
const LOOK = 2_000
/** Milliseconds between two lines about a certificate that expires. */
const DAY = 86_400_000
const MISMATCH = 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
/** Bytes: far more than any chain of certificates has. */
const LARGEST = 1_048_576

/** A certificate chain and its key, in PEM. */
export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

export interface TlsFilesOptions {
  readonly certFile: string
  readonly keyFile: string
  /** A new pair is to be used for the connections that follow. */
  readonly onLoaded: (pair: Tls, expiresAt: string) => void
  /** The files changed and cannot be used; what was loaded before still is. */
  readonly onRefused: (error: unknown) => void
  /** Heard once a day at most, from 21 days before the end on. */
  readonly onExpiry: (expiresAt: string, expiry: 'expiring' | 'expired') => void
  /** Unix time in milliseconds. */
  readonly clock?: () => number
  /** Milliseconds between checks, 2 s by default. */
  readonly every?: number
}

/** Why a pair cannot be used; the cause says more. */
class PairError extends Error {
  override readonly name = 'PairError'
  readonly fault: CertificateFault

  constructor(fault: CertificateFault, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.fault = fault
  }
}

/**
 * The certificate and the key of a server, read again whenever they change. A pair is used only
 * where the key belongs to the certificate: of two files that are replaced one after the other,
 * the pair in between is not.
 */
export class TlsFiles {
  readonly #options: TlsFilesOptions
  readonly #clock: () => number
  #expiresAt = ''
  #refused: CertificateState['refused'] = null
  /** Of the files that were tried last, and of those seen at the last look. */
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

  /** Reads the pair to begin with. Rejects with the error of the file system or of OpenSSL. */
  async open(): Promise<Tls> {
    this.#tried = this.#seen = await this.#signature()
    const { pair, expiresAt } = await this.#read().catch((error: unknown) => {
      throw error instanceof PairError ? error.cause : error
    })
    this.#expiresAt = expiresAt
    return pair
  }

  /** Looks at the files every two seconds from now on. */
  watch(): void {
    this.#noticeExpiry()
    this.#next()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Reads the files again, changed or not. Never rejects. */
  reload(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#load())
    return this.#loading
  }

  #next(): void {
    if (this.#stopped) return
    const { every = LOOK } = this.#options
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#next()), every).unref()
  }

  /** What changed since the last look may still be written: it is read once it stays the same. */
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
      const fault = error instanceof PairError ? error.fault : 'invalid'
      this.#refused = { fault, since: new Date(this.#clock()).toISOString() }
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

  /** Differs where one of the files does. Links are followed: tools switch certificates by them. */
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

/** Refuses what is no file: a pipe would be waited for, and a device would never end. */
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
