/// How long a test waits for what is to happen before it fails: much longer than anything takes on a machine that is
/// busy with all other tests, as only a test that would wait for ever is to end here.
public let patience = Duration.seconds(300)
