import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ChannelPolicy, RollbackPolicy, UpdateMode } from '../../shared/channel.ts'
import type { AppDetail } from '../../shared/console/apps.ts'
import { Version } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { Dialog } from '../components/dialog.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { faultOf } from '../components/fault.ts'
import { useChange } from '../components/use-change.ts'
import { ROLLBACK_WORDS, text, UPDATE_MODE_WORDS } from './strings.ts'

interface Props {
  readonly app: string
  readonly channel: AppDetail['channels'][number]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Edits the policy that every decision on a channel follows. */
export function PolicyDialog({ opened, onClose, ...rest }: Props) {
  const title = text.policy.title(rest.channel.name)
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg">
      <PolicyForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function PolicyForm({ app, channel, onClose }: Omit<Props, 'opened'>) {
  const [policy, setPolicy] = useState<ChannelPolicy>(channel.policy)
  const change = (part: Partial<ChannelPolicy>) => setPolicy({ ...policy, ...part })
  const save = useChange(serverClient.channels.setPolicy.mutate, {
    done: () => text.policy.done(channel.name),
    failed: () => text.policy.failed(channel.name),
    onDone: onClose,
  })
  const fault = faultOf(Version, policy.minimumSupportedVersion, text.policy.minimumSubject)
  return (
    <DialogForm
      action={text.policy.action}
      change={save}
      valid={fault === undefined}
      onSubmit={() => save.send({ app, channel: channel.name, policy })}
    >
      <Choice
        label={text.policy.updates}
        words={UPDATE_MODE_WORDS}
        options={UpdateMode.options}
        value={policy.updateMode}
        onChange={(updateMode) => change({ updateMode })}
      />
      <TextInput
        label={text.policy.minimum}
        description={text.policy.minimumHint}
        value={policy.minimumSupportedVersion}
        onChange={(event) => change({ minimumSupportedVersion: event.currentTarget.value })}
        error={fault}
        autoComplete="off"
        spellCheck={false}
      />
      <Choice
        label={text.policy.rollback}
        words={ROLLBACK_WORDS}
        options={RollbackPolicy.options}
        value={policy.rollback}
        onChange={(rollback) => change({ rollback })}
      />
    </DialogForm>
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
