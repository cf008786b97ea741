import { Autocomplete, Text, TextInput } from '@mantine/core'
import { IconHash, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { ArtifactDraft, ArtifactField } from '../../../shared/artifacts/artifact.ts'
import { guessTarget } from '../../../shared/artifacts/guess.ts'
import { KNOWN_KINDS } from '../../../shared/names.ts'
import { systemInWords } from '../../../shared/wording/artifacts.ts'
import { IconButton, SmallButton } from '../../components/blocks.tsx'
import { Small } from '../../components/text/words.tsx'
import classes from './artifacts.module.css'
import { type ArtifactIssues, fileToMeasure } from './draft.ts'
import { HashLine, UploadLine } from './job-line.tsx'
import { FIELD_LABELS, text } from './strings.ts'
import type { HashSource } from './use-hashing.ts'
import type { Job } from './use-jobs.ts'

const PLATFORMS = ['darwin', 'windows', 'linux']
const ARCHES = ['x86_64', 'aarch64', 'i686', 'armv7', 'riscv64', 'any']

/** What can be done with a row, by its id. The same functions for every row and every render. */
export interface RowActions {
  readonly edit: (id: string, parts: Partial<ArtifactDraft>) => void
  readonly remove: (id: string) => void
  readonly hash: (id: string, source: HashSource) => void
  readonly cancelHash: (id: string) => void
  readonly resumeUpload: (id: string) => void
  readonly cancelUpload: (id: string) => void
}

interface Props {
  /** The app of the release; empty while it is not chosen. */
  readonly app: string
  /** Counts from 1. */
  readonly number: number
  readonly value: ArtifactDraft
  readonly issues: ArtifactIssues | undefined
  /** Said at once where another row serves the same devices. */
  readonly twin: string | undefined
  readonly job: Job<HashSource> | undefined
  readonly upload: Job<File> | undefined
  readonly actions: RowActions
}

/** The fields of one artifact, with what is wrong beside each. */
export const ArtifactRow = memo(function ArtifactRow(props: Props) {
  const { app, number, value, issues, twin, job, upload, actions } = props
  const { id, details } = value
  const { minimumSystemVersion: floor } = details
  const remote = fileToMeasure(app, value)
  const change = (parts: Partial<ArtifactDraft>) => actions.edit(id, parts)
  const field = (name: ArtifactField, placeholder?: string) => ({
    label: FIELD_LABELS[name],
    value: value[name],
    error: issues?.[name],
    autoComplete: 'off',
    spellCheck: false,
    ...(placeholder === undefined ? {} : { placeholder }),
  })
  const remove = text.remove(number)
  return (
    <fieldset className={classes.row}>
      <legend className={classes.legend}>
        {text.artifact(number)}
        <Small span className={classes.origin}>
          {originOf(value)}
        </Small>
      </legend>
      <IconButton
        icon={IconTrash}
        hasTooltip
        className={classes.remove}
        aria-label={remove}
        onClick={() => actions.remove(id)}
      />
      <div className={classes.fields}>
        <Autocomplete
          {...field('platform')}
          data={PLATFORMS}
          onChange={(platform) => change({ platform })}
        />
        <Autocomplete {...field('arch')} data={ARCHES} onChange={(arch) => change({ arch })} />
        <Autocomplete
          {...field('kind', text.notGiven)}
          data={[...KNOWN_KINDS]}
          onChange={(kind) => change({ kind })}
        />
        <TextInput
          {...field('url', text.urlExample)}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        />
        <TextInput
          {...field('size', text.notGiven)}
          inputMode="numeric"
          onChange={({ currentTarget }) => change({ size: currentTarget.value })}
        />
        <TextInput
          {...field('sha512', text.sha512Hint)}
          className={classes.wide}
          classNames={{ input: classes.mono }}
          onChange={({ currentTarget }) => change({ sha512: currentTarget.value })}
        />
        <TextInput
          {...field('signature', text.notGiven)}
          classNames={{ input: classes.mono }}
          className={classes.rest}
          onChange={({ currentTarget }) => change({ signature: currentTarget.value })}
        />
      </div>
      {floor !== undefined && <Small>{text.needs(systemInWords(value.platform, floor))}</Small>}
      {job === undefined && remote !== undefined && (
        <SmallButton icon={IconHash} onClick={() => actions.hash(id, remote)}>
          {text.computeHash}
        </SmallButton>
      )}
      {job !== undefined && (
        <HashLine
          job={job}
          onCancel={() => actions.cancelHash(id)}
          // What the server downloads may have been corrected since.
          onAgain={() =>
            actions.hash(id, job.subject instanceof File ? job.subject : (remote ?? job.subject))
          }
        />
      )}
      {upload !== undefined && (
        <UploadLine
          job={upload}
          onCancel={() => actions.cancelUpload(id)}
          onAgain={() => actions.resumeUpload(id)}
        />
      )}
      {twin !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {twin}
        </Text>
      )}
    </fieldset>
  )
})

/** Where a row comes from, for people; empty where it was typed. */
function originOf({ listed, file }: ArtifactDraft): string {
  if (listed !== null) {
    const source = text.listedIn(listed.entry, listed.manifest)
    return listed.assumedArch !== '' ? `${source} · ${text.archAssumed}` : source
  }
  if (file === null) return ''
  const { platform, arch } = guessTarget(file.name)
  if (platform !== '' && arch !== '') return `${file.name} · ${text.detected}`
  if (platform !== '') return `${file.name} · ${text.chooseArch}`
  return `${file.name} · ${arch === '' ? text.chooseBoth : text.choosePlatform}`
}
