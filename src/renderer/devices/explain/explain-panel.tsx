import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { Loading, StillLoading } from '../../components/loading/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { explainText as text } from '../strings.ts'
import { ExplainFields } from './explain-fields.tsx'
import { type Assumption, useExplanation } from './use-explanation.ts'
import { Verdict } from './verdict.tsx'

/** The update decision for a device, and why; also for another channel or version. */
export function ExplainPanel({ device }: { readonly device: DeviceDetail }) {
  const [assumption, assume] = useState<Assumption>({})
  const explained = useExplanation(device, assumption)
  const invalid = explained.state === 'invalid' ? explained : undefined
  return (
    <Panel title={text.title}>
      <Stack gap="md">
        <ExplainFields
          device={device}
          assumption={assumption}
          invalid={invalid?.field}
          issue={invalid?.reason && text.issues[invalid.field](invalid.reason)}
          onChange={assume}
        />
        {explained.state === 'loading' && (
          <>
            <Loading rows={3} />
            <StillLoading />
          </>
        )}
        {explained.state === 'ready' && (
          <Verdict app={device.app} explanation={explained.explanation} />
        )}
        {explained.state === 'failed' && (
          <ErrorNotice error={explained.error} onRetry={explained.retry} />
        )}
        {invalid !== undefined && invalid.reason === undefined && (
          <Text c="dimmed">{text.versionNeeded}</Text>
        )}
        <Text size="xs" c="dimmed">
          {text.noSideEffects}
        </Text>
      </Stack>
    </Panel>
  )
}
