import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { ExpectedInput } from '../../../shared/console/plans.ts'
import { serverClient } from '../../bridge/clients.ts'

/** By step, how many known devices a plan reaches, in all until then. */
export type ExpectedDevices = readonly number[] | 'counting'

/** Milliseconds without a change after which devices are counted: every count looks at the fleet. */
const REST = 250

/** Counts the devices that the steps of a plan reach; undefined without an input, and if they cannot be counted. */
export function useExpected(input: ExpectedInput | undefined): ExpectedDevices | undefined {
  const [counted, setCounted] = useState<{
    readonly of: string
    readonly byStep: readonly number[] | undefined
  }>()
  const key = input && JSON.stringify(input)
  const [rested] = useDebouncedValue(key, REST)
  const latest = useRef({ input, key })
  latest.current = { input, key }
  useEffect(() => {
    const { input: asked, key: of } = latest.current
    if (asked === undefined || of === undefined || rested !== of) return
    const subscription = serverClient.plans.expected.subscribe(asked, {
      onData: (event) => {
        if (event.type === 'result') setCounted({ of, byStep: event.byStep })
      },
      // The schedule says all else without them.
      onError: () => setCounted({ of, byStep: undefined }),
    })
    return () => subscription.unsubscribe()
  }, [rested])
  if (key === undefined) return undefined
  return counted?.of === key ? counted.byStep : 'counting'
}
