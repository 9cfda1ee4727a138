interface NativeModules {
  readonly Host: {
    addListener(event: 'line', listener: (line: string) => void): Subscription,
  };
}
