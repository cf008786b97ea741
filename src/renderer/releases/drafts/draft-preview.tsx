import { Autocomplete, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DraftPreviewInput } from '../../../shared/console/releases/drafts.ts'
import { KNOWN_KINDS } from '../../../shared/names.ts'
import type { Draft } from '../../../shared/releases/draft.ts'
import { outcomeSentence } from '../../../shared/wording/explanation.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice, Panel } from '../../components/blocks.tsx'
import { Loading } from '../../components/loading/loading.tsx'
import { CodeBlock } from '../../components/text/copy-button.tsx'
import { Quiet } from '../../components/text/words.tsx'
import classes from './drafts.module.css'
import { previewText as text } from './strings.ts'

type Device = DraftPreviewInput['device']

/** Milliseconds without a letter after which a device is previewed. */
const REST = 250
const Known = DraftPreviewInput.shape.device

/** The answer to an update check, if the draft were published. */
export function DraftPreview({ draft }: { readonly draft: Draft }) {
  const { app, channel, version } = draft
  const [device, setDevice] = useState<Device>(() => firstDevice(draft))
  const [rested] = useDebouncedValue(device, REST)
  const read = Known.safeParse(rested)
  const known = useQuery({
    ...server.drafts.preview.queryOptions({
      ...{ app, channel, version },
      device: read.data ?? firstDevice(draft),
    }),
    enabled: read.success,
  })
  const field = (name: keyof Device) => ({
    label: text[name],
    value: device[name],
    spellCheck: false,
    autoComplete: 'off',
  })
  const choices = (name: 'platform' | 'arch') => [
    ...new Set(draft.artifacts.map((artifact) => artifact[name])),
  ]
  const change = (parts: Partial<Device>) => setDevice({ ...device, ...parts })
  return (
    <Panel title={text.title}>
      <Stack gap="sm">
        <Quiet>{text.hint}</Quiet>
        <search aria-label={text.form} className={classes.device}>
          <Autocomplete
            {...field('platform')}
            data={choices('platform')}
            onChange={(platform) => change({ platform })}
          />
          <Autocomplete
            {...field('arch')}
            data={choices('arch')}
            onChange={(arch) => change({ arch })}
          />
          <Autocomplete
            {...field('bundle')}
            placeholder={text.noBundle}
            data={[...KNOWN_KINDS]}
            onChange={(bundle) => change({ bundle })}
          />
          <TextInput
            {...field('version')}
            onChange={({ currentTarget }) => change({ version: currentTarget.value })}
          />
        </search>
        {!read.success && <Text c="dimmed">{text.incomplete}</Text>}
        {read.success && known.data === undefined && known.error === null && <Loading rows={2} />}
        {read.success && <ErrorNotice error={known.error} />}
        {read.success && known.data !== undefined && (
          <>
            <Text fw={600} role="status">
              {outcomeSentence(known.data)}
            </Text>
            {known.data.update === null ? (
              <Text c="dimmed">{text.noContent}</Text>
            ) : (
              <CodeBlock title={text.response} text={JSON.stringify(known.data.update, null, 2)} />
            )}
          </>
        )}
      </Stack>
    </Panel>
  )
}

/** A device that the first artifact is for, on a version below all others. */
function firstDevice({ artifacts: [first] }: Draft): Device {
  const { platform = '', arch = '', kind = '' } = first ?? {}
  return { platform, arch, bundle: kind, version: '0.0.0' }
}
