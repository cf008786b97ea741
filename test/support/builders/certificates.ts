import { execFileSync } from 'node:child_process'
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'

export interface TestPair {
  readonly certFile: string
  readonly keyFile: string
}

/** Makes a certificate for `<name>.test`, or for `host`, that signs itself, valid for so many days. */
export function makePair(folder: string, name: string, days = 90, host?: string): TestPair {
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', `/CN=${name}.test`, '-days', String(days), '-keyout', keyFile, '-out', certFile],
      ...(host === undefined ? [] : ['-addext', `subjectAltName=DNS:${host}`]),
    ],
    { stdio: 'ignore' },
  )
  return { certFile, keyFile }
}

/** Puts a copy in the place of a file, in one step, as tools that renew certificates do. */
export function replace(file: string, by: string): void {
  copyFileSync(by, `${file}.next`)
  renameSync(`${file}.next`, file)
}

/** The common name of the certificate that a server shows to a new connection. */
export function shownName(address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, port: Number(port), rejectUnauthorized: false },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      },
    )
    socket.on('error', reject)
  })
}
