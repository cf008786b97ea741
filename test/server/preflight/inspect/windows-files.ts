import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixture, library, toolModule } from './inspected.ts'

const SUBJECT = '/C=DE/ST=Bayern/L=München/O=Example, Ltd/CN=Example, Ltd/serialNumber=HRB 1'

/** An installer of NSIS with files inside, each added by its lines. */
export function installer(folder: string, settings: string, files: string): string {
  const script = join(folder, 'installer.nsi')
  const version = ['FileVersion', 'FileDescription', 'LegalCopyright', 'ProductVersion']
  const lines = [
    ...['Name App', `OutFile "${join(folder, 'Setup.exe')}"`, 'Unicode true', settings],
    ...['RequestExecutionLevel user', 'VIProductVersion 2.3.4.0'],
    ...version.map((key) => `VIAddVersionKey /LANG=1033 ${key} 2.3.4`),
    ...['Section', 'SetOutPath $INSTDIR', 'File installer.nsi', files],
    ...['WriteUninstaller $INSTDIR\\u.exe', 'SectionEnd', 'Section Uninstall', 'SectionEnd'],
  ]
  writeFileSync(script, lines.join('\n'))
  execFileSync('makensis', ['-V1', script], { cwd: folder })
  return join(folder, 'Setup.exe')
}

/** Signs a file with a certificate of its own. Returns the path of the signed one. */
export function sign(path: string, subject = SUBJECT): string {
  const [key, pem, signed] = [`${path}.key`, `${path}.pem`, `${path}.signed`]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const names = ['-utf8', '-keyout', key, '-out', pem, '-days', '2', '-subj', subject]
  execFileSync('openssl', [...request, ...names], { stdio: 'ignore' })
  const options = ['-certs', pem, '-key', key, '-h', 'sha256', '-in', path, '-out', signed]
  execFileSync('osslsigncode', ['sign', ...options], { stdio: 'ignore' })
  return signed
}

/** The lines with which electron-builder adds the archive of the app. */
export function archived(folder: string, name: string): string {
  writeFileSync(join(folder, name), fixture(name))
  return `SetCompress off\nFile "/oname=$INSTDIR\\app-64.7z" ${name}\nSetCompress auto`
}

/** Takes the flag of a library from a PE file. */
export function asProgram(bytes: Buffer): Buffer {
  const flags = bytes.readUInt32LE(0x3c) + 22
  bytes.writeUInt16LE(bytes.readUInt16LE(flags) & ~0x2000, flags)
  return bytes
}

/** A program with a key of minisign among its texts, and others at once before and behind it, as Rust has them. */
export function tauriProgram(): { bytes: Buffer; key: string } {
  const id = Buffer.from('0101020304050607', 'hex')
  const key = Buffer.concat([Buffer.from('Ed'), id, Buffer.alloc(32, 9)]).toString('base64')
  const file = `untrusted comment: minisign public key: 0706050403020101\n${key}\n`
  const texts = `pubkey${Buffer.from(file).toString('base64')}endpointshttps://example.com`
  const bytes = asProgram(library('win32-x64'))
  bytes.write(texts, bytes.indexOf('SQLite format 3'), 'latin1')
  return { bytes, key }
}

/** What is used of `resedit`, with which electron-builder edits programs. */
interface Resedit {
  readonly NtExecutable: {
    from(bytes: Buffer, options: { readonly ignoreCert: boolean }): { generate(): ArrayBuffer }
  }
  readonly NtExecutableResource: {
    from(executable: object): {
      entries: readonly { readonly type: string | number; readonly [member: string]: unknown }[]
      outputResource(executable: object): void
    }
  }
}

/** Adds a resource of type `DATA` as electron-builder does. */
export function withResource(
  bytes: Buffer,
  { id, bytes: bin, type = 'DATA' }: { id: number; bytes: Buffer; type?: string | number },
): Buffer {
  const { NtExecutable, NtExecutableResource } = toolModule('resedit') as Resedit
  const executable = NtExecutable.from(bytes, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  const others = resources.entries.filter((entry) => entry.type !== type)
  const data = new Uint8Array(bin).buffer
  resources.entries = [...others, { type, id, lang: 1_033, codepage: 0, bin: data }]
  resources.outputResource(executable)
  return Buffer.from(executable.generate())
}
