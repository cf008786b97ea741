import type { z } from 'zod'
import { mapEach } from '../../shared/basics/map-each.ts'
import { issueOf } from '../../shared/issue.ts'
import type { NumberGroups } from '../../shared/operation/server-numbers.ts'
import { text } from './strings.ts'

/** What is wrong with fields, by their path in the section: `backups.keep`. */
export type Issues = ReadonlyMap<string, string>

type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: Issues }

/** Reads what a form holds by the schema of its section; every field has its first issue. */
export function readSection<Value>(schema: z.ZodType<Value>, input: unknown): Read<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  const issues = new Map<string, string>()
  for (const issue of result.error.issues) {
    const path = issue.path.join('.')
    if (issues.has(path)) continue
    const { reason } = issueOf({ ...result.error, issues: [issue] }, input)
    issues.set(path, isUnreadNumber(issue, input) ? text.notWhole : reason)
  }
  return { ok: false, issues }
}

/**
 * Reads a whole number as it is typed; anything else than digits stays text, for the schema to refuse:
 * `0x10` and `1e3` are numbers to a program, but not to everybody. Empty is undefined.
 */
export function readNumber(typed: string): number | string | undefined {
  const trimmed = typed.trim()
  if (trimmed === '') return undefined
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** The numbers of a group as they are typed. */
export type Typed<Group extends keyof NumberGroups> = Readonly<
  Record<keyof NumberGroups[Group], string>
>

/** Returns the numbers of a group of fields as they would be typed. */
export function typed<Name extends string>(numbers: Readonly<Record<Name, number>>) {
  return mapEach(numbers, String)
}

/** Reads the numbers of a group of fields. */
export function readNumbers<Name extends string>(fields: Readonly<Record<Name, string>>) {
  return mapEach(fields, readNumber)
}

/** The sentence under a field. */
export function sentence(label: string, issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined
  return `${label} ${issue}${issue.endsWith('.') ? '' : '.'}`
}

function isUnreadNumber(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  let value = input
  for (const part of issue.path) {
    if (typeof value !== 'object' || value === null) return false
    value = Reflect.get(value, part)
  }
  return issue.expected !== 'string' && typeof value === 'string'
}

/** Prefix lengths from which a range is no longer a network of one's own: 10.0.0.0/8 and fc00::/7 are. */
const OWN_IPV4 = 8
const OWN_IPV6 = 7
/** Bits before an IPv4 address that is written as IPv6: `::ffff:10.0.0.0/104`. */
const MAPPED = 96

/** Returns the first of the proxies that is a range with addresses on the internet. */
export function wideRange(proxies: readonly string[]): string | undefined {
  return proxies.find((proxy) => {
    const [address = '', prefix] = proxy.split('/')
    if (prefix === undefined) return false
    const bits = Number(prefix)
    if (!address.includes(':')) return bits < OWN_IPV4
    return bits < OWN_IPV6 || (startsWithZeros(address) && bits < MAPPED + OWN_IPV4)
  })
}

/** IPv4 addresses lie within such a range. */
function startsWithZeros(address: string): boolean {
  return new URL(`http://[${address}]`).hostname.startsWith('[::')
}
