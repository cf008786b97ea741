import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/names.ts'
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
  const isKnown = (assumption.version ?? device.version) !== OTHER
  const explained = useQuery({
    ...server.devices.explain.queryOptions({ app, deviceId, ...assumption }),
    placeholderData: keepPreviousData,
    enabled: isKnown,
  })
  return (
    <Panel title="What it is told, and why">
      <Stack gap="md">
        <AskForm device={device} assumption={assumption} onAsk={assume} />
        {isKnown ? (
          <Loaded query={explained} loading={<Loading rows={3} />}>
            {(explanation) => <Verdict app={app} explanation={explanation} />}
          </Loaded>
        ) : (
          <Text c="dimmed">
            The version of this device is counted as Other. Enter a version to see the decision for
            it.
          </Text>
        )}
      </Stack>
    </Panel>
  )
}
