import { execFileSync } from 'node:child_process'

/** Writes a self-signed certificate for `update.test` and its key, in PEM. */
export function makeCertificate(certFile: string, keyFile: string): void {
  const subject = ['-subj', '/CN=update.test', '-addext', 'subjectAltName=DNS:update.test']
  const files = ['-keyout', keyFile, '-out', certFile]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-days', '90', ...kind, ...files, ...subject], {
    stdio: 'ignore',
  })
}
