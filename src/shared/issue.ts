import type { z } from 'zod'

/** The first thing wrong with an input: where it is, and how to fix it. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly reason: string
}

type ZodIssue = z.core.$ZodIssue

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
}

/** Returns an input as its schema reads it. Throws what `refuse` makes of the first issue. */
export function parsedBy<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  refuse: (issue: Issue) => Error,
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw refuse(issueOf(result.error, input))
}

/** Reads the first issue out of a failed zod parse. */
export function issueOf(error: z.ZodError, input: unknown): Issue {
  const [issue] = error.issues
  if (issue === undefined) return { path: [], reason: 'is not valid' }
  return readIssue(issue, input)
}

/**
 * `devices.3.version: must be …`; an issue of the whole input, or of a member without a name in it, is
 * named `body`.
 */
export function issueMessage({ path, reason }: Issue): string {
  return `${path.join('.') || 'body'}: ${reason}`
}

function readIssue(issue: ZodIssue, input: unknown): Issue {
  switch (issue.code) {
    case 'unrecognized_keys':
      return { path: [...issue.path, issue.keys[0] ?? ''], reason: 'is not a known member' }
    case 'invalid_key': {
      const reason = issue.issues[0]?.message ?? 'is not a valid key'
      return { path: issue.path, reason }
    }
    case 'invalid_type': {
      if (valueAt(input, issue.path) === undefined) {
        return { path: issue.path, reason: 'is required' }
      }
      return { path: issue.path, reason: EXPECTED[issue.expected] ?? issue.message }
    }
    case 'invalid_value':
      return { path: issue.path, reason: `must be one of ${issue.values.join(', ')}` }
    case 'invalid_union': {
      const meant = meantBranch(issue)
      if (meant === undefined) return { path: issue.path, reason: unionReason(issue) }
      const { path, reason } = readIssue(meant, valueAt(input, issue.path))
      return { path: [...issue.path, ...path], reason }
    }
    default:
      return { path: issue.path, reason: issue.message }
  }
}

/** Returns the first issue of the one object of a union that has all the members that are given. */
function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion): ZodIssue | undefined {
  const isOther = (branch: readonly ZodIssue[]) =>
    branch.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0)
  const meant = errors.filter((branch) => !isOther(branch))
  return meant.length === 1 && meant.length < errors.length ? meant[0]?.[0] : undefined
}

function unionReason(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.message !== 'Invalid input') return issue.message
  const specific = issue.errors.flat().find((inner) => inner.code !== 'invalid_type')
  return specific?.message ?? 'must be a string or an array of strings'
}

/** Returns what is at a path in an input; undefined if there is nothing. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
