import { execFileSync } from 'node:child_process'
import { request } from 'node:https'

/** Writes a self-signed certificate for `update.test` and its key, in PEM. */
export function makeCertificate(certFile: string, keyFile: string): void {
  const subject = ['-subj', '/CN=update.test', '-addext', 'subjectAltName=DNS:update.test']
  const files = ['-keyout', keyFile, '-out', certFile]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-days', '90', ...kind, ...files, ...subject], {
    stdio: 'ignore',
  })
}

/** Asks a server for its health over TLS, whatever its certificate; answers the status, undefined if there is none. */
export function secureStatus(at: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const url = `${at.replace('http:', 'https:')}/healthz`
    const asked = request(url, { rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
