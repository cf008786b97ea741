import { z } from 'zod'
import { DocumentKey, MAX_DOCUMENT_KEYS } from './signed-document.ts'

/** Most allowed hosts of an app. */
const MAX_ARTIFACT_HOSTS = 50

const HOST_RULE =
  'must be a host such as downloads.example or downloads.example:8443, an IP address, or a range such as 10.0.0.0/8'
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const Cidr = z.union([z.cidrv4(), z.cidrv6()])
const Ipv4 = z.ipv4()
const Ipv6 = z.ipv6()

/** An allowed host, read: a range of addresses, or a host on a port (null: the usual one of http and https). */
export type ArtifactHostEntry =
  | { readonly kind: 'range'; readonly network: string; readonly prefix: number }
  | { readonly kind: 'address'; readonly address: string; readonly port: number | null }
  | { readonly kind: 'name'; readonly name: string; readonly port: number | null }

/** Reads an allowed host. Returns undefined for what is none. */
export function readArtifactHost(text: string): ArtifactHostEntry | undefined {
  const entry = text.trim().toLowerCase()
  if (Cidr.safeParse(entry).success) {
    const [network = '', prefix] = entry.split('/')
    return { kind: 'range', network, prefix: Number(prefix) }
  }
  if (Ipv6.safeParse(entry).success) return { kind: 'address', address: entry, port: null }
  const [, host, digits] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry) ?? []
  if (host === undefined) return undefined
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return undefined
  if (host.startsWith('[')) {
    const address = host.slice(1, -1)
    return Ipv6.safeParse(address).success ? { kind: 'address', address, port } : undefined
  }
  if (Ipv4.safeParse(host).success) return { kind: 'address', address: host, port }
  // Digits at the end make a URL read it as an address in another notation.
  const name = host.replace(/\.$/, '')
  return NAME.test(name) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)
    ? { kind: 'name', name, port }
    : undefined
}

/** A host that artifacts may be fetched from, or a range of addresses that such a host may have. */
export const ArtifactHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(300, HOST_RULE)
  .refine((text) => readArtifactHost(text) !== undefined, { message: HOST_RULE })

const KEY_RULE = 'must be a minisign public key, as minisign or Tauri writes it'

/**
 * A minisign public key as it is kept: base64 of 42 bytes. Takes the file that minisign writes, its second line alone,
 * and the base64 of the file, as in the configuration of Tauri.
 */
export const MinisignKey = z.string().check((context) => {
  const key = readMinisignKey(context.value)
  if (key === undefined) {
    context.issues.push({ code: 'custom', input: context.value, message: KEY_RULE })
  } else context.value = key
})

/** What proves the artifacts of an app. */
export const ProvingSettings = z.strictObject({
  /** Null: signatures are not checked. */
  minisignKey: MinisignKey.nullable(),
  /** Where artifacts may be fetched from; without any, none is. */
  hosts: z
    .array(ArtifactHost)
    .max(MAX_ARTIFACT_HOSTS, `must hold at most ${MAX_ARTIFACT_HOSTS} hosts`),
  /** What the signed documents of its releases are verified with; without any of an updater, they are not. */
  documentKeys: z
    .array(DocumentKey)
    .max(MAX_DOCUMENT_KEYS, `must hold at most ${MAX_DOCUMENT_KEYS} keys`)
    .default([]),
})
export type ProvingSettings = z.infer<typeof ProvingSettings>

/** `RW`: the base64 of every key begins with it, because the key itself begins with `Ed`. */
const KEY = /^RW[A-Za-z0-9+/]{54}$/

function readMinisignKey(text: string): string | undefined {
  const line = lastLine(text)
  if (KEY.test(line)) return line
  try {
    const inner = lastLine(atob(text.replaceAll(/\s/g, '')))
    return KEY.test(inner) ? inner : undefined
  } catch {
    return undefined
  }
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1)?.trim() ?? ''
}
