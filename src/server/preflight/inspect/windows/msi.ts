import { damaged } from '../budget.ts'
import type { Findings } from '../findings.ts'
import type { Source } from '../source.ts'
import { signerOf } from './authenticode.ts'
import { type CompoundFile, openCompoundFile } from './compound-file.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._'
const TEMPLATE = 7
const TEXT = 30
/** References to texts have three bytes. */
const LONG_REFERENCES = 0x8000

/** Reads an installer of Windows Installer: its version, architecture and signer, not the cabinet with the app. */
export async function inspectMsi(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'msi'
  const file = await openCompoundFile(source, decodedName, findings.budget)
  await findings.attempt('signature', async () => {
    const signature = await file.stream('\x05DigitalSignature')
    const authenticode = signature === undefined ? null : signerOf(signature)
    findings.setPublisher({ authenticode })
  })
  await findings.attempt('version', async () => {
    findings.addVersion('msi_property', await propertyOf(file, 'ProductVersion'))
  })
  await findings.attempt('arch', async () => {
    const summary = await file.stream('\x05SummaryInformation')
    const arch = summary && archIn(summary)
    if (arch !== undefined) findings.setArch(arch)
  })
  findings.note({ code: 'not_read', part: 'contents', format: 'msi_cabinet' })
}

/** The names of tables are packed: two characters of an alphabet of 64 in one. */
function decodedName(stored: string): string {
  const characters = [...stored].map((character) => {
    const code = character.charCodeAt(0)
    if (code === 0x4840) return '!'
    if (code < 0x3800 || code > 0x483f) return character
    if (code >= 0x4800) return ALPHABET.charAt(code - 0x4800)
    return ALPHABET.charAt(code & 0x3f) + ALPHABET.charAt((code - 0x3800) >> 6)
  })
  return characters.join('')
}

async function propertyOf(file: CompoundFile, name: string): Promise<string | undefined> {
  const [pool, data, table] = [
    await file.stream('!_StringPool'),
    await file.stream('!_StringData'),
    await file.stream('!Property'),
  ]
  if (pool === undefined || data === undefined || table === undefined) throw damaged()
  const texts = textsIn(pool, data)
  const width = (pool.readUInt16LE(2) & LONG_REFERENCES) === 0 ? 2 : 3
  // All names come first, and all values behind them.
  const count = Math.floor(table.length / (width * 2))
  for (let row = 0; row < count; row += 1) {
    if (texts[table.readUIntLE(row * width, width)] === name) {
      return texts[table.readUIntLE((count + row) * width, width)]
    }
  }
  return undefined
}

/** Texts by their number, from 1 on: a length and a count of uses each; a length of 0 that is used has the length behind it. */
function textsIn(pool: Buffer, data: Buffer): string[] {
  const texts = ['']
  let from = 0
  for (let at = 4; at + 4 <= pool.length; at += 4) {
    let length = pool.readUInt16LE(at)
    if (length === 0 && pool.readUInt16LE(at + 2) !== 0) {
      at += 4
      length = pool.readUInt32LE(at)
    }
    texts.push(data.toString('utf8', from, from + length))
    from += length
  }
  return texts
}

/** Returns the processor of the template, as `x64;1033`; undefined if it names none. */
function archIn(summary: Buffer): string | undefined {
  const section = summary.readUInt32LE(44)
  const count = summary.readUInt32LE(section + 4)
  for (let index = 0; index < count; index += 1) {
    const at = section + 8 + index * 8
    if (summary.readUInt32LE(at) !== TEMPLATE) continue
    const value = section + summary.readUInt32LE(at + 4)
    if (summary.readUInt32LE(value) !== TEXT) throw damaged()
    const length = summary.readUInt32LE(value + 4)
    const [name = ''] = summary.toString('latin1', value + 8, value + 8 + length).split(';')
    return name === 'Intel' ? 'i686' : name.toLowerCase() || undefined
  }
  return undefined
}
