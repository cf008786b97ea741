/** Returns a function that reads something of an object once, if somebody asks, and keeps it for as long as the object. */
export function oncePer<Key extends object, Value extends object>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) {
      found = read(key)
      known.set(key, found)
    }
    return found
  }
}
