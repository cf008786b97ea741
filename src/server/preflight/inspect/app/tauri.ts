import { publicKeyOf } from '../../../outbound/proving/minisign.ts'
import { type Budget, notRead } from '../budget.ts'
import type { Findings } from '../findings.ts'
import { partOf, piecesOf, type Source } from '../source.ts'

/** The section that Tauri's bundler writes the kind of bundle into. */
const BUNDLE_SECTION = /^\.?taubndl$/
/** Where constant texts are, in programs of Windows, Linux and macOS. */
const TEXTS = /^(?:\.rdata|\.rodata|__const|__cstring)$/
/** Programs of Electron are larger, and have no key inside. */
const MAX_SIZE = 64 * 1_024 * 1_024
/** Base64 of `untrusted comment:`, with which the key in `tauri.conf.json` begins. */
const KEY_START = 'dW50cnVzdGVkIGNvbW1lbnQ6'
/** Characters of such a key, and more. */
const MAX_KEY = 512
const KEY = /^untrusted comment:[^\n]{0,200}\r?\n(RW[Q-T][A-Za-z0-9+/]{53})/

/** A part of a program. `offset`, `size`: in the file. */
export interface Section {
  readonly name: string
  readonly offset: number
  readonly size: number
}

export interface Program {
  readonly source: Source
  readonly sections: readonly Section[]
}

/** Says what a program has of Tauri, if it is an app on Tauri. */
export async function findTauri({ source, sections }: Program, findings: Findings): Promise<void> {
  const hasSection = sections.some(({ name }) => BUNDLE_SECTION.test(name))
  if (!hasSection && source.size > MAX_SIZE) return
  await findings.attempt('tauri_config', async () => {
    const keys = new Set<string>()
    for (const { name, offset, size } of sections) {
      if (TEXTS.test(name)) await addKeys(partOf(source, offset, size), keys, findings.budget)
    }
    if (!hasSection && keys.size === 0) return
    const [publicKey] = keys
    findings.say({
      tauri:
        publicKey === undefined || keys.size > 1
          ? {}
          : { publicKey, keyId: publicKeyOf(publicKey).id },
    })
    findings.note({ code: 'not_read', part: 'tauri_config', format: 'endpoints' })
    if (keys.size > 1) throw notRead('several_keys')
  })
}

async function addKeys(texts: Source, keys: Set<string>, budget: Budget): Promise<void> {
  let before = ''
  for await (const piece of piecesOf(texts)) {
    // Sections can overlap each other: what is searched counts as if it were decompressed each time.
    budget.spend('decompressed', piece.length)
    const text = before + piece.toString('latin1')
    for (let at = text.indexOf(KEY_START); at !== -1; at = text.indexOf(KEY_START, at + 1)) {
      // Other texts may follow at once.
      const decoded = Buffer.from(text.slice(at, at + MAX_KEY), 'base64').toString('latin1')
      const [, key] = KEY.exec(decoded) ?? []
      if (key !== undefined) keys.add(key)
    }
    before = text.slice(-MAX_KEY)
  }
}
