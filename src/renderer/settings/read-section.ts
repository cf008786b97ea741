import type { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'

/** What is wrong with fields, by their path in the section: `backups.keep`. */
export type Issues = ReadonlyMap<string, string>

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: Issues }

/** Reads what a form holds by the schema of its section; every field has its first issue. */
export function readSection<Value>(schema: z.ZodType<Value>, input: unknown): Read<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  const issues = new Map<string, string>()
  for (const issue of result.error.issues) {
    const path = issue.path.join('.')
    const { reason } = issueOf({ ...result.error, issues: [issue] }, input)
    if (!issues.has(path)) issues.set(path, reason)
  }
  return { ok: false, issues }
}

/** Addresses and ranges, one a line or between commas. */
export function readProxies(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '')
}

/** The sentence under a field. */
export function sentence(label: string, issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined
  return `${label} ${issue}${issue.endsWith('.') ? '' : '.'}`
}
