import { describe, expect, test } from 'vitest'
import { NO_SESSIONS } from '../../../../../../src/shared/health/health-states.ts'
import type { CatalogSubject } from './subject.ts'

/** Sessions of apps. */
export function sessionContract(catalog: CatalogSubject): void {
  describe('sessions', () => {
    test('are added up by network, raise registers, and leave out releases that do not exist', async () => {
      const { id: releaseId } = await catalog.publish()
      const before = await catalog.store.revision()
      const counts = { ...NO_SESSIONS, started: 3, healthy: 2, crashed: 1 }
      const register = { releaseId, crashed: 0 as const, register: 255, rank: 9 }
      await catalog.store.addSessions({
        networks: [
          { ...counts, releaseId, network: 255 },
          { ...counts, releaseId: 'gone', network: 1 },
        ],
        registers: [register, { ...register, releaseId: 'gone' }],
      })
      await catalog.store.addSessions({
        networks: [
          { ...NO_SESSIONS, releaseId, network: 255, errored: 1 },
          { ...counts, releaseId, network: 7, abnormal: 2 ** 40 },
        ],
        registers: [
          { ...register, rank: 3 },
          { ...register, register: 0, rank: 1 },
        ],
      })
      await catalog.store.addSessions({ networks: [], registers: [] })
      expect(await catalog.store.sessionsOf(releaseId)).toEqual({
        networks: [
          { ...counts, releaseId, network: 7, abnormal: 2 ** 40 },
          { ...counts, releaseId, network: 255, errored: 1 },
        ],
        registers: [{ ...register, register: 0, rank: 1 }, register],
      })
      expect(await catalog.store.sessionsOf('gone')).toEqual({ networks: [], registers: [] })
      expect(await catalog.store.revision()).toBe(before)
    })
  })
}
