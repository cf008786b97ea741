import type { RawConnection } from '../generate/raw-connections.ts'
import type { Exchanged } from '../wire/exchange.ts'
import { readAnswers } from '../wire/read-answers.ts'
import { answerIssues } from './answer.ts'

/** Returns what is wrong with the responses to a connection of raw bytes. */
export function rawIssues({ methods, end }: RawConnection, exchanged: Exchanged): string[] {
  const { received, closed } = exchanged
  // The client reset the connection, so its data may be truncated anywhere.
  if (end === 'reset') return []
  const { answers, issue } = readAnswers(received, methods ?? [])
  const issues = answers.flatMap((answer, at) => answerIssues(methods?.[at] ?? 'GET', answer))
  if (!closed) issues.push('the connection is neither answered nor closed')
  if (issue !== undefined) issues.push(issue)
  if (methods === null || answers.length === methods.length) return issues
  // A server that rejects a request, or does not read its body, may close the connection and announces it.
  if (answers.at(-1)?.headers.get('connection') !== 'close') {
    issues.push(`${answers.length} of ${methods.length} requests are answered`)
  }
  return issues
}
