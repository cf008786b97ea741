import { SESSION_COUNTS } from '../../../shared/health/health-states.ts'
import type {
  DeviceRegister,
  NetworkSessions,
  SessionStore,
  SessionTallies,
} from '../../catalog/sessions/session-ledger.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const NETWORK = new Columns<NetworkSessions>({
  releaseId: 'plain',
  network: 'plain',
  started: 'plain',
  healthy: 'plain',
  errored: 'plain',
  crashed: 'plain',
  abnormal: 'plain',
})

const REGISTER = new Columns<DeviceRegister>({
  releaseId: 'plain',
  crashed: 'plain',
  register: 'plain',
  rank: 'plain',
})

const SUMS = SESSION_COUNTS.map((name) => `${name} = release_sessions.${name} + excluded.${name}`)

const SQL = perDialect(({ rowsOf }) => {
  const counts = { started: 'bigint', healthy: 'bigint', errored: 'bigint' } as const
  const networks = rowsOf('networks', {
    ...{ releaseId: 'text', network: 'int', ...counts, crashed: 'bigint', abnormal: 'bigint' },
  })
  const registers = rowsOf('registers', {
    ...{ releaseId: 'text', crashed: 'int', register: 'int', rank: 'int' },
  })
  // In one order, so that nodes do not wait for each other in a circle.
  const known = (list: string) =>
    `WHERE EXISTS (SELECT 1 FROM releases WHERE id = ${list}."releaseId") ORDER BY 1, 2, 3`
  const members = (columns: Readonly<Record<string, string>>) =>
    Object.keys(columns)
      .map((member) => `"${member}"`)
      .join(', ')
  return {
    networks: `SELECT ${NETWORK.selected()} FROM release_sessions WHERE release_id = @releaseId
      ORDER BY network`,
    registers: `SELECT ${REGISTER.selected()} FROM session_devices WHERE release_id = @releaseId
      ORDER BY crashed, register`,
    add: `INSERT INTO release_sessions (${Object.values(NETWORK.columns).join(', ')})
      SELECT ${members(NETWORK.columns)} FROM ${networks} ${known('networks')}
      ON CONFLICT (release_id, network) DO UPDATE SET ${SUMS.join(', ')}`,
    raise: `INSERT INTO session_devices (${Object.values(REGISTER.columns).join(', ')})
      SELECT ${members(REGISTER.columns)} FROM ${registers} ${known('registers')}
      ON CONFLICT (release_id, crashed, register) DO UPDATE SET rank = excluded.rank
      WHERE session_devices.rank < excluded.rank`,
  }
})

/** The questions to the sessions. */
export function sessionReads(questions: Questions): Pick<SessionStore, 'sessionsOf'> {
  return {
    sessionsOf: (releaseId) =>
      questions.atOnce(async (now) => {
        const sql = SQL(now)
        const networks = await now.rows<RowOf<NetworkSessions>>(sql.networks, { releaseId })
        const registers = await now.rows<RowOf<DeviceRegister>>(sql.registers, { releaseId })
        return {
          networks: networks.map((row) => NETWORK.read(row)),
          registers: registers.map((row) => REGISTER.read(row)),
        }
      }),
  }
}

/** See `SessionStore.addSessions`. */
export async function addSessions(
  tx: Statements,
  { networks, registers }: SessionTallies,
): Promise<void> {
  if (networks.length > 0) await tx.run(SQL(tx).add, { networks })
  if (registers.length > 0) await tx.run(SQL(tx).raise, { registers })
}
