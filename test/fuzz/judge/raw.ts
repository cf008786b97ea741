import type { RawConnection } from '../generate/raw-connections.ts'
import type { Exchanged } from '../wire/exchange.ts'
import { readAnswers } from '../wire/read-answers.ts'
import { answerFaults } from './answer.ts'

/** Returns what is wrong with what came over a connection of raw bytes. */
export function rawFaults({ methods, end }: RawConnection, exchanged: Exchanged): string[] {
  const { received, closed } = exchanged
  // The client broke the connection: what it had received until then may be cut anywhere.
  if (end === 'reset') return []
  const { answers, fault } = readAnswers(received, methods ?? [])
  const faults = answers.flatMap((answer, at) => answerFaults(methods?.[at] ?? 'GET', answer))
  if (!closed) faults.push('the connection is neither answered nor closed')
  if (fault !== undefined) faults.push(fault)
  if (methods === null || answers.length === methods.length) return faults
  // Whoever refuses a request, or leaves its body unread, may end the connection, and says so.
  if (answers.at(-1)?.headers.get('connection') !== 'close') {
    faults.push(`${answers.length} of ${methods.length} requests are answered`)
  }
  return faults
}
