import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { generate, type SelfsignedOptions } from 'selfsigned'

const DAY = 86_400_000

type Extension = NonNullable<SelfsignedOptions['extensions']>[number]

export interface TestPair {
  readonly certFile: string
  readonly keyFile: string
}

/** Makes a certificate for `<name>.test`, or for `host`, that signs itself, valid for so many days. */
export async function makePair(
  folder: string,
  name: string,
  days = 90,
  host?: string,
): Promise<TestPair> {
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const now = Date.now()
  const { cert, private: key } = await generate([{ name: 'commonName', value: `${name}.test` }], {
    ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256' },
    notBeforeDate: new Date(now),
    notAfterDate: new Date(now + days * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      ...(host === undefined ? [] : [subjectAltName(host)]),
    ],
  })
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key, { mode: 0o600 })
  return { certFile, keyFile }
}

function subjectAltName(host: string): Extension {
  const altName =
    isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host }
  return { name: 'subjectAltName', altNames: [altName] }
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
