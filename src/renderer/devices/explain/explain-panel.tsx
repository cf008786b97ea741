import { Autocomplete, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleMinus,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceDetail, Explanation } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/counting.ts'
import { KNOWN_KINDS } from '../../../shared/names.ts'
import { noteSentence, outcomeSentence } from '../../../shared/wording/explanation.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { nameChoices } from '../../components/list/app-choices.ts'
import { SearchableSelect } from '../../components/list/searchable-select.tsx'
import { Loading, StillLoading } from '../../components/loading/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { Quiet, Small } from '../../components/text/quiet.tsx'
import { explainText as text } from '../strings.ts'
import { CandidatesTable } from './candidates-table.tsx'
import classes from './explain.module.css'
import { type Assumption, useExplanation } from './use-explanation.ts'

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
        <Small>{text.noSideEffects}</Small>
      </Stack>
    </Panel>
  )
}

interface Props {
  readonly device: DeviceDetail
  readonly assumption: Assumption
  /** The field that is not valid, and what is wrong with it, as a sentence. */
  readonly invalid: 'version' | 'bundle' | undefined
  readonly issue: string | undefined
  readonly onChange: (assumption: Assumption) => void
}

/** The channel, the version, the kind of bundle and the kind of check that the decision is explained for. */
function ExplainFields({ device, assumption, invalid, issue, onChange }: Props) {
  const apps = useQuery(server.apps.names.queryOptions())
  const named = apps.data?.find(({ ref }) => ref === device.app)?.channels ?? []
  const channel = assumption.channel ?? device.channel ?? ''
  const { version, bundle = '', manual = false } = assumption
  const isAssumed =
    assumption.channel !== undefined || version !== undefined || bundle !== '' || manual
  return (
    <search aria-label={text.form}>
      <Group gap="xs" align="end">
        <SearchableSelect
          w={128}
          className={classes.channel ?? ''}
          label={text.channel}
          value={channel}
          choices={nameChoices(named)}
          onChange={(name) =>
            onChange({ ...assumption, channel: name === device.channel ? undefined : name })
          }
        />
        <TextInput
          className={classes.version}
          label={text.version}
          value={version ?? (device.version === OTHER ? '' : device.version)}
          aria-invalid={invalid === 'version' && issue !== undefined}
          aria-describedby="explain-issue"
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) =>
            onChange({ ...assumption, version: currentTarget.value })
          }
        />
        <Autocomplete
          className={classes.bundle ?? ''}
          label={text.bundle}
          placeholder={text.noBundle}
          data={[...KNOWN_KINDS]}
          value={bundle}
          aria-invalid={invalid === 'bundle'}
          aria-describedby="explain-issue"
          spellCheck={false}
          autoComplete="off"
          onChange={(kind) => onChange({ ...assumption, bundle: kind })}
        />
        <Button
          variant="subtle"
          className={`${classes.act} ${classes.reset}`}
          data-shown={isAssumed}
          onClick={() => onChange({})}
        >
          {text.reset}
        </Button>
      </Group>
      <Checkbox
        mt="xs"
        size="xs"
        label={text.manual}
        checked={manual}
        onChange={({ currentTarget }) =>
          onChange({ ...assumption, manual: currentTarget.checked ? true : undefined })
        }
      />
      <p id="explain-issue" className={classes.issue} role="alert">
        {issue}
      </p>
    </search>
  )
}

interface VerdictProps {
  readonly app: string
  readonly explanation: Explanation
}

/** The outcome in a sentence, what had a say in it, and each release that was tried. */
function Verdict({ app, explanation }: VerdictProps) {
  const { offer, notes, candidates, moreCandidates, channel, assumed } = explanation
  const [tone, Icon] = lookOf(offer)
  return (
    <div>
      <div role="status">
        <Group gap="xs" wrap="nowrap" align="start" className={classes.summary}>
          <Icon className={classes.icon} data-tone={tone} size={20} aria-hidden="true" />
          <Text fw={600}>{outcomeSentence(explanation)}</Text>
        </Group>
        {assumed && <Quiet mt={4}>{text.assumed}</Quiet>}
      </div>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => {
            const sentence = noteSentence(note, explanation)
            return (
              <li key={sentence}>
                <IconInfoCircle className={classes.icon} size={16} aria-hidden="true" />
                {sentence}
              </li>
            )
          })}
        </ul>
      )}
      {candidates.length > 0 && (
        <CandidatesTable app={app} channel={channel} candidates={candidates} />
      )}
      {moreCandidates > 0 && <Quiet mt="xs">{text.moreCandidates(moreCandidates)}</Quiet>}
    </div>
  )
}

function lookOf(offer: Explanation['offer']) {
  if (offer === null) return ['quiet', IconCircleMinus] as const
  return offer.allowDowngrade
    ? (['warn', IconArrowBackUp] as const)
    : (['good', IconCircleCheck] as const)
}
