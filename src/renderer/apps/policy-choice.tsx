import { Radio, Stack } from '@mantine/core'

interface Props<Value extends string> {
  readonly label: string
  readonly words: Readonly<Record<Value, { readonly name: string; readonly meaning: string }>>
  readonly options: readonly Value[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One part of a policy: a few choices with their meaning. */
export function PolicyChoice<Value extends string>(props: Props<Value>) {
  const { label, words, options, value, onChange } = props
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
