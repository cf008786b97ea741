import { z } from 'zod'
import { Scope } from '../../shared/access/key.ts'
import { ChannelPolicy } from '../../shared/releases/channel.ts'
import { ReleaseStatus } from '../../shared/releases/release.ts'
import { Targets } from '../../shared/releases/targets.ts'
import { formatPercent } from '../../shared/wording/format.ts'
import { SCOPE_WORDS } from '../access/keys/strings.ts'
import { ROLLBACK_WORDS, UPDATE_MODE_WORDS } from '../apps/policy-strings.ts'
import { sentence } from '../components/text/sentence.ts'
import { formatTime } from '../components/text/time.ts'
import { targetsInWords } from '../releases/targets/strings.ts'
import { FIELD_WORDS, text as screenText } from './strings.ts'

/** One part of a change, in words. Undefined: there was, or is, no such part. */
export interface PartChange {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** How a part is called, and how a value of it reads. Undefined for a value of another shape. */
interface Part {
  readonly name: string
  readonly format?: ((value: unknown) => string | undefined) | undefined
}

const FORMATS: Readonly<Record<string, Part['format']>> = {
  rolloutPct: as(z.number(), formatPercent),
  status: as(ReleaseStatus, (status) => words(status)),
  targets: as(z.union([Targets, z.array(Targets).min(1)]), (targets) =>
    [targets].flat().map(targetsInWords).join('; '),
  ),
  prefix: as(z.string(), (prefix) => `${prefix}…`),
  scopes: as(z.array(Scope), (scopes) => scopes.map((scope) => SCOPE_WORDS[scope].name).join(', ')),
  archivedAt: as(z.iso.datetime(), localTime),
  revokedAt: as(z.iso.datetime(), localTime),
  updateMode: as(ChannelPolicy.shape.updateMode, (mode) => UPDATE_MODE_WORDS[mode].name),
  rollback: as(ChannelPolicy.shape.rollback, (rollback) => ROLLBACK_WORDS[rollback].name),
}

const PARTS: Readonly<Record<string, Part>> = Object.fromEntries(
  Object.entries(FIELD_WORDS).map(([key, name]) => [key, { name, format: FORMATS[key] }]),
)

/** What differs between two states, part by part; parts within parts are named by their way. */
export function changesOf(before: unknown, after: unknown): PartChange[] {
  const [was, is] = [partsOf(before), partsOf(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].flatMap((path) => {
    const [from, to] = [was.get(path), is.get(path)]
    if (from?.text === to?.text) return []
    return [{ name: from?.name ?? to?.name ?? path, before: from?.text, after: to?.text }]
  })
}

type Parts = ReadonlyMap<string, { readonly name: string; readonly text: string }>

function partsOf(value: unknown, path = '', above = ''): Parts {
  const parts = new Map<string, { name: string; text: string }>()
  if (!isPlain(value)) {
    const isNone = value === null || value === undefined || (Array.isArray(value) && !value.length)
    if (!isNone) parts.set(path, { name: above, text: shown(value) })
    return parts
  }
  for (const [key, inner] of Object.entries(value)) {
    const part = Object.hasOwn(PARTS, key) ? PARTS[key] : undefined
    const name = [above, part?.name ?? words(key)].filter((text) => text !== '').join(', ')
    const text = part?.format?.(inner)
    const place = `${path}/${key}`
    if (text !== undefined) parts.set(place, { name, text })
    else for (const [deeper, entry] of partsOf(inner, place, name)) parts.set(deeper, entry)
  }
  return parts
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? screenText.yes : screenText.no
  if (!Array.isArray(value)) return String(value)
  return value.map((one) => (isPlain(one) ? inOneLine(one) : shown(one))).join(', ')
}

function inOneLine(value: object): string {
  const parts = [...partsOf(value).values()].map(
    ({ name, text }) => `${name.toLowerCase()} ${text}`,
  )
  return `(${parts.join('; ')})`
}

/** `minimumVersion` and `rolled_back` as words. */
function words(name: string): string {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ')
  return sentence(spaced.toLowerCase()).replace(/\.$/, '')
}

function localTime(at: string): string {
  return formatTime(at, 'shortWithYear')
}

function as<Value>(
  schema: z.ZodType<Value>,
  format: (value: Value) => string,
): NonNullable<Part['format']> {
  return (value) => {
    const read = schema.safeParse(value)
    return read.success ? format(read.data) : undefined
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
