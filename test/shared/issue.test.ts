import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueMessage, issueOf } from '../../src/shared/issue.ts'

const Body = z.strictObject({ devices: z.array(z.strictObject({ version: z.string() })) })

test.each([
  [{ devices: [{ version: 1 }] }, 'devices.0.version: must be a string'],
  [{ devices: [], more: 1 }, 'more: is not a known member'],
  [{ devices: [], '': 1 }, 'body: is not a known member'],
  [[], 'body: must be an object'],
])('the first issue of %j is named with its place', (input, message) => {
  const { error = new z.ZodError([]) } = Body.safeParse(input)
  expect(issueMessage(issueOf(error, input))).toBe(message)
})
