import type { z } from 'zod'
import { faultOf } from '../../shared/issue.ts'

/** What is wrong with fields, by their path in the section: `backups.keep`. */
export type Faults = ReadonlyMap<string, string>

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: Faults }

/** Reads what a form holds by the schema of its section; every field has its first fault. */
export function readSection<Value>(schema: z.ZodType<Value>, input: unknown): Read<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  const faults = new Map<string, string>()
  for (const issue of result.error.issues) {
    const path = issue.path.join('.')
    const { reason } = faultOf({ ...result.error, issues: [issue] }, input)
    if (!faults.has(path)) faults.set(path, reason)
  }
  return { ok: false, faults }
}

/** Addresses and ranges, one a line or between commas. */
export function readProxies(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '')
}

/** The sentence under a field. */
export function sentence(label: string, fault: string | undefined): string | undefined {
  if (fault === undefined) return undefined
  return `${label} ${fault}${fault.endsWith('.') ? '' : '.'}`
}
