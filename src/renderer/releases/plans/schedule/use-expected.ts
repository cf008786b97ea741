import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { ExpectedInput } from '../../../../shared/console/releases/plans.ts'
import { serverClient } from '../../../bridge/clients.ts'

/** By step, how many known devices a plan reaches, and the bytes that they download, in all until then. */
export type ExpectedDevices =
  | readonly { readonly devices: number; readonly bytes: number }[]
  | 'counting'

/** Milliseconds without a change after which devices are counted: every count looks at the fleet. */
const REST = 250

/** Counts the devices that the steps of a plan reach; undefined without an input, and if they cannot be counted. */
export function useExpected(input: ExpectedInput | undefined): ExpectedDevices | undefined {
  const [counted, setCounted] = useState<{
    readonly of: string
    readonly byStep: ExpectedDevices | undefined
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
        if (event.type !== 'result') return
        const { byStep, bytesByStep } = event
        setCounted({
          of,
          byStep: byStep.map((devices, step) => ({ devices, bytes: bytesByStep[step] ?? 0 })),
        })
      },
      // The schedule says all else without them.
      onError: () => setCounted({ of, byStep: undefined }),
    })
    return () => subscription.unsubscribe()
  }, [rested])
  if (key === undefined) return undefined
  return counted?.of === key ? counted.byStep : 'counting'
}
