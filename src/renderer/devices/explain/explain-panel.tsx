import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { server } from '../../bridge/clients.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Loading } from '../../components/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { AskForm, type Assumption } from './ask-form.tsx'
import { Verdict } from './verdict.tsx'

/** What a device is told when it asks, and why; also for another channel or version. */
export function ExplainPanel({ device }: { readonly device: DeviceDetail }) {
  const { app, deviceId } = device
  const [assumption, assume] = useState<Assumption>({})
  const explained = useQuery({
    ...server.devices.explain.queryOptions({ app, deviceId, ...assumption }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title="What it is told, and why">
      <Stack gap="md">
        <AskForm device={device} assumption={assumption} onAsk={assume} />
        <Loaded query={explained} loading={<Loading rows={3} />}>
          {(explanation) => <Verdict app={app} explanation={explanation} />}
        </Loaded>
      </Stack>
    </Panel>
  )
}
