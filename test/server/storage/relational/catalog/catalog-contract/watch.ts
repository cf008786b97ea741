import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CatalogSubject } from './subject.ts'

const PATIENTLY = { timeout: 5_000, interval: 20 } as const

/** Who hears of a commit. */
export function watchContract(catalog: CatalogSubject): void {
  /** Notes the calls of a watch, which ends with the test. */
  const watching = (onChange: () => Promise<void> = async () => {}) => {
    const listener = { onChange: vi.fn(onChange), onFailure: vi.fn() }
    const stop = catalog.store.watch(listener)
    onTestFinished(stop)
    return { ...listener, stop }
  }

  describe('watch', () => {
    test('calls once by itself, and after every commit of any store', async () => {
      const { onChange, onFailure } = watching()
      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), PATIENTLY)
      await catalog.publish()
      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), PATIENTLY)
      await catalog.other.transact((tx) => tx.setAppName(catalog.app.key, 'Editor Pro'))
      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(3), PATIENTLY)
      expect(onFailure).not.toHaveBeenCalled()
    })

    test('retries while the listener fails, and reports it once', async () => {
      let failing = 3
      const { onChange, onFailure } = watching(async () => {
        if (failing-- > 0) throw new Error('on purpose')
      })
      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(4), PATIENTLY)
      expect(onFailure).toHaveBeenCalledOnce()
      failing = 1
      await catalog.publish()
      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(6), PATIENTLY)
      expect(onFailure).toHaveBeenCalledTimes(2)
    })

    test('ends when it is stopped', async () => {
      const [stopped, still] = [watching(), watching()]
      await vi.waitFor(() => expect(stopped.onChange).toHaveBeenCalledOnce(), PATIENTLY)
      await vi.waitFor(() => expect(still.onChange).toHaveBeenCalledOnce(), PATIENTLY)
      stopped.stop()
      await catalog.publish()
      await vi.waitFor(() => expect(still.onChange).toHaveBeenCalledTimes(2), PATIENTLY)
      expect(stopped.onChange).toHaveBeenCalledOnce()
    })
  })
}
