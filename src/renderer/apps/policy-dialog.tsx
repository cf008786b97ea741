import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { type ChannelPolicy, RollbackPolicy, UpdateMode } from '../../shared/channel.ts'
import type { AppDetail } from '../../shared/console/apps.ts'
import { Version } from '../../shared/names.ts'
import { server } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { DialogButtons } from '../components/dialog-buttons.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { ROLLBACK_WORDS, UPDATE_MODE_WORDS } from './strings.ts'

interface Props {
  readonly app: string
  readonly channel: AppDetail['channels'][number]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Edits the rules that every decision on a channel follows. */
export function PolicyDialog({ opened, onClose, ...rest }: Props) {
  const title = `Rules of channel ${rest.channel.name}`
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" centered>
      <PolicyForm onClose={onClose} {...rest} />
    </Modal>
  )
}

function PolicyForm({ app, channel, onClose }: Omit<Props, 'opened'>) {
  const [policy, setPolicy] = useState<ChannelPolicy>(channel.policy)
  const change = (part: Partial<ChannelPolicy>) => setPolicy({ ...policy, ...part })
  const save = useMutation(
    server.channels.setPolicy.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries()
        announce(`The rules of channel ${channel.name} were saved.`)
        onClose()
      },
    }),
  )
  const lowest = Version.safeParse(policy.minimumSupportedVersion)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate({ app, channel: channel.name, policy })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Choice
          label="Updates are"
          words={UPDATE_MODE_WORDS}
          options={UpdateMode.options}
          value={policy.updateMode}
          onChange={(updateMode) => change({ updateMode })}
        />
        <TextInput
          label="Lowest supported version"
          description="Devices below it are told that they must update. 0.0.0 supports every version."
          value={policy.minimumSupportedVersion}
          onChange={(event) => change({ minimumSupportedVersion: event.currentTarget.value })}
          error={lowest.success ? undefined : `This version ${lowest.error.issues[0]?.message}.`}
          autoComplete="off"
          spellCheck={false}
        />
        <Choice
          label="After a rollback"
          words={ROLLBACK_WORDS}
          options={RollbackPolicy.options}
          value={policy.rollback}
          onChange={(rollback) => change({ rollback })}
        />
        <ErrorNotice error={save.error} />
        <DialogButtons
          action="Save rules"
          pending={save.isPending}
          disabled={!lowest.success}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly words: Readonly<Record<Value, { readonly name: string; readonly meaning: string }>>
  readonly options: readonly Value[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function Choice<Value extends string>({
  label,
  words,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => {
        const option = options.find((each) => each === chosen)
        if (option !== undefined) onChange(option)
      }}
    >
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Radio
            key={option}
            value={option}
            label={words[option].name}
            description={words[option].meaning}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
